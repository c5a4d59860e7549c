import type { JsonObject, ResourceId } from '@palisade/domain';

/** Which attributes an answer should hold (RFC 7644 §3.9); names as the client wrote them. */
export interface AttributeSelection {
  readonly attributes?: readonly string[];
  readonly excludedAttributes?: readonly string[];
}

/** What accompanies an operation besides its body. */
export interface ScimRequest extends AttributeSelection {
  /** The authenticated identity, for the log; `programmatic` when absent. */
  readonly actor?: string;
  readonly requestId?: string;
  /** `If-Match`: entity tags, or `*`. */
  readonly ifMatch?: string;
  /** `If-None-Match`: entity tags, or `*`. */
  readonly ifNoneMatch?: string;
  /** Demand `schemas` in bodies, as RFC 7643 §3 does of a client; programmatic callers may leave it out. */
  readonly requireSchemas?: boolean;
  /** Aborted when nobody waits for the answer any more; Bulk then stops before its next operation. */
  readonly signal?: AbortSignal;
  /** Members of large groups stand in the answer as a `StreamedList`, for callers that send it with `toJsonText`. */
  readonly streamMembers?: boolean;
  /** The client wants no body back (`Prefer: return=minimal`, RFC 7240). */
  readonly returnMinimal?: boolean;
}

/** The outcome of an operation on one resource. */
export interface ResourceAnswer {
  readonly id: ResourceId;
  readonly location: string;
  /** Weak entity tag. */
  readonly version: string;
  /** False when a create found the resource already there. */
  readonly created: boolean;
  /** Absent when nothing is to be sent: not modified, or the client or dialect wants no body. */
  readonly body?: JsonObject;
}
