import { Injectable } from '@nestjs/common';
import type { JsonObject, ResourceType } from '@palisade/domain';
import { ForbiddenError } from '@palisade/guards';
import {
  ScimError,
  foldLetters,
  readListQuery,
  readSearchRequest,
  type ListParameters,
  type ResourceAnswer,
  type ScimServer,
} from '@palisade/scim';
import { LargeReads } from './large-reads.js';
import { ScimAnswer } from './scim-answer.js';
import type { ScimCall } from './scim-call.js';
import { ScimServers } from './scim-servers.js';

/** SCIM operations over HTTP: which engine answers, and with which status and headers. */
@Injectable()
export class ScimService {
  constructor(
    private readonly servers: ScimServers,
    private readonly largeReads: LargeReads,
  ) {}

  create(type: ResourceType, call: ScimCall, body: unknown): Promise<ScimAnswer> {
    return this.run(call, async (server) => {
      const answer = await server.operations(type).create(body, call.request);
      return new ScimAnswer(201, answer.body, entityHeaders(answer));
    });
  }

  get(type: ResourceType, call: ScimCall, reference: string): Promise<ScimAnswer> {
    const run = type === 'Group' ? this.runLargeRead : this.run;
    return run.call(this, call, async (server) => found(await server.operations(type).get(reference, call.request)));
  }

  list(type: ResourceType, call: ScimCall): Promise<ScimAnswer> {
    return this.runLargeRead(call, (server) => query(type, server, readListQuery(call.query), call));
  }

  search(type: ResourceType | undefined, call: ScimCall, body: unknown): Promise<ScimAnswer> {
    return this.runLargeRead(call, (server) => query(type, server, readSearchRequest(body), call));
  }

  /** A query at the root, over all resource types (RFC 7644 §3.4.2.1). */
  listAll(call: ScimCall): Promise<ScimAnswer> {
    return this.runLargeRead(call, (server) => query(undefined, server, readListQuery(call.query), call));
  }

  replace(type: ResourceType, call: ScimCall, reference: string, body: unknown): Promise<ScimAnswer> {
    return this.run(call, async (server) =>
      changed(call, await server.operations(type).replace(reference, body, call.request)),
    );
  }

  patch(type: ResourceType, call: ScimCall, reference: string, body: unknown): Promise<ScimAnswer> {
    return this.run(call, async (server) =>
      changed(call, await server.operations(type).patch(reference, body, call.request)),
    );
  }

  delete(type: ResourceType, call: ScimCall, reference: string): Promise<ScimAnswer> {
    return this.run(call, async (server) => {
      await server.operations(type).delete(reference, call.request);
      return new ScimAnswer(204);
    });
  }

  /** @param signal ends the work before the next operation */
  bulk(call: ScimCall, body: unknown, signal: AbortSignal): Promise<ScimAnswer> {
    return this.run(call, async (server) => new ScimAnswer(200, await server.bulk(body, { ...call.request, signal })));
  }

  /**
   * RFC 7644 §3.11: 501 for a credential that stands for a provider and not for one of its users. An inactive user may not
   * even see themselves.
   */
  async me(call: ScimCall): Promise<ScimAnswer> {
    const { principal } = call;
    if (principal.kind !== 'user') {
      throw new ScimError(501, undefined, '/Me: this credential is not a user');
    }
    const server = await this.servers.of(principal.provider, call);
    const filter = `userName eq ${JSON.stringify(principal.userName)}`;
    const { Resources: matches } = await server.listUsers({
      filter,
      attributes: ['id', 'active', 'userName'],
      count: 1,
    });
    const [user] = matches as readonly JsonObject[];
    // The filter also finds userNames whose characters have another width.
    if (user === undefined || foldLetters(String(user.userName)) !== foldLetters(principal.userName)) {
      throw new ScimError(404, undefined, '/Me: no user of this provider has the userName that the credential names');
    }
    if (user.active === false) {
      throw new ForbiddenError('the user is inactive');
    }
    return found(await server.users.get(String(user.id), call.request));
  }

  /** The same for a read whose answer may be large. */
  private async runLargeRead(
    call: ScimCall,
    operate: (server: ScimServer) => Promise<ScimAnswer>,
  ): Promise<ScimAnswer> {
    return this.run(call, async (server) => {
      await this.largeReads.begin(server.provider, call.ended());
      return operate(server);
    });
  }

  /** Runs an operation in the caller's provider. */
  private async run(call: ScimCall, operate: (server: ScimServer) => Promise<ScimAnswer>): Promise<ScimAnswer> {
    const { principal } = call;
    if (principal.kind !== 'provider') {
      throw new ForbiddenError('this credential may not act for a provider');
    }
    return operate(await this.servers.of(principal.provider, call));
  }
}

async function query(
  type: ResourceType | undefined,
  server: ScimServer,
  parameters: ListParameters,
  { request }: ScimCall,
): Promise<ScimAnswer> {
  const list = { User: server.listUsers, Group: server.listGroups, all: server.search }[type ?? 'all'];
  return new ScimAnswer(200, await list.call(server, parameters, request));
}

// RFC 7644 §3.14: the entity tag is in the ETag header as well as in meta.version. RFC 7643 §3.1: meta.location "MUST be
// the same as the 'Content-Location' HTTP response header".
function entityHeaders({ location, version }: ResourceAnswer): Record<string, string> {
  return { Location: location, 'Content-Location': location, ETag: version };
}

function found(answer: ResourceAnswer): ScimAnswer {
  return new ScimAnswer(answer.body === undefined ? 304 : 200, answer.body, entityHeaders(answer));
}

function changed({ request }: ScimCall, answer: ResourceAnswer): ScimAnswer {
  const headers = entityHeaders(answer);
  if (request.returnMinimal && answer.body === undefined) {
    // RFC 7240 §3.
    headers['Preference-Applied'] = 'return=minimal';
  }
  return new ScimAnswer(answer.body === undefined ? 204 : 200, answer.body, headers);
}
