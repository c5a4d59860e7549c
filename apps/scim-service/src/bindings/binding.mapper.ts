import { HttpStatus } from '@nestjs/common';
import {
  RELATIONS,
  parseGroupId,
  parseNamespaceId,
  parseProviderId,
  type AddBindingResult,
  type BindingKey,
  type ListedBinding,
  type NamespaceBinding,
} from '@palisade/domain';
import { Answer, decodeCursor, InvalidRequestError, toPage } from '@palisade/platform';
import type {
  AddBindingBody,
  BindingPage,
  BindingResponse,
  ListBindingsParameters,
  ListedBindingResponse,
  RemoveBindingParameters,
} from './bindings.dto.js';
import type { BindingRequest, BindingSearch } from './bindings.service.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toBindingRequest(body: AddBindingBody): BindingRequest {
  const { bound_subject: subject, source_group: alias, namespace, relation, source, pending } = body;
  const given = [subject, alias].filter((text) => text !== undefined);
  const [group] = given;
  if (group === undefined || given.length > 1) {
    throw new InvalidRequestError('bound_subject', 'exactly one of bound_subject and source_group');
  }
  return {
    key: { namespace: parseNamespaceId(namespace), boundSubject: parseGroupId(group), relation },
    source,
    pending,
  };
}

/** @throws {InvalidIdentifierError} */
export function toBindingKey({ namespace, bound_subject, relation }: RemoveBindingParameters): BindingKey {
  return { namespace: parseNamespaceId(namespace), boundSubject: parseGroupId(bound_subject), relation };
}

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toBindingSearch(query: ListBindingsParameters): BindingSearch {
  const { namespace, provider, bound_subject: subject, state, limit, cursor } = query;
  return {
    namespace: namespace === undefined ? undefined : parseNamespaceId(namespace),
    provider: provider === undefined ? undefined : parseProviderId(provider),
    boundSubject: subject === undefined ? undefined : parseGroupId(subject),
    after: cursor === undefined ? undefined : readCursor(cursor),
    state,
    limit,
  };
}

export function toBindingPage(found: readonly ListedBinding[], limit: number): BindingPage {
  return toPage(
    found,
    limit,
    ({ namespace, boundSubject, relation }) => [namespace, boundSubject, relation],
    toListedBindingResponse,
  );
}

export function toBindingResponse(binding: NamespaceBinding): BindingResponse {
  const { boundSubject, namespace, relation, source, approvedBy, createdAt } = binding;
  return {
    bound_subject: boundSubject,
    namespace,
    relation,
    source,
    approved_by: approvedBy,
    created_at: createdAt.toISOString(),
  };
}

/** 201 for a new binding, 200 for one that was there. */
export function toAddedBinding({ added, binding }: AddBindingResult): Answer<ListedBindingResponse> {
  return new Answer(toListedBindingResponse(binding), { status: added ? HttpStatus.CREATED : HttpStatus.OK });
}

function toListedBindingResponse(binding: ListedBinding): ListedBindingResponse {
  return { ...toBindingResponse(binding), state: binding.state, display: binding.display };
}

function readCursor(cursor: string): BindingKey {
  const [namespace = '', boundSubject = '', wanted] = decodeCursor(cursor, 3);
  const relation = RELATIONS.find((each) => each === wanted);
  if (relation === undefined) {
    throw new InvalidRequestError('cursor', 'the next_cursor of an earlier page');
  }
  return { namespace: parseNamespaceId(namespace), boundSubject: parseGroupId(boundSubject), relation };
}
