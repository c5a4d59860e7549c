import { Injectable } from '@nestjs/common';
import type { JsonObject, ProviderId, ResourceType } from '@palisade/domain';
import { ForbiddenError, type Principal } from '@palisade/guards';
import {
  ScimError,
  readListQuery,
  readSearchRequest,
  type ListParameters,
  type ResourceAnswer,
  type ScimServer,
} from '@palisade/scim';
import { ScimAnswer } from './scim-answer.js';
import type { ScimCall } from './scim-call.js';
import { ScimServers } from './scim-servers.js';

/** SCIM operations over HTTP: which engine answers, and with which status and headers. */
@Injectable()
export class ScimService {
  constructor(private readonly servers: ScimServers) {}

  async create(type: ResourceType, call: ScimCall, body: unknown): Promise<ScimAnswer> {
    const server = await this.server(call);
    const answer = await server.operations(type).create(body, call.request);
    return new ScimAnswer(201, answer.body, entityHeaders(answer));
  }

  async get(type: ResourceType, call: ScimCall, reference: string): Promise<ScimAnswer> {
    const server = await this.server(call);
    const answer = await server.operations(type).get(reference, call.request);
    return new ScimAnswer(answer.body === undefined ? 304 : 200, answer.body, entityHeaders(answer));
  }

  async list(type: ResourceType, call: ScimCall): Promise<ScimAnswer> {
    return this.query(type, await this.server(call), readListQuery(call.query));
  }

  async search(type: ResourceType | undefined, call: ScimCall, body: unknown): Promise<ScimAnswer> {
    return this.query(type, await this.server(call), readSearchRequest(body));
  }

  /** A query at the root, over all resource types (RFC 7644 §3.4.2.1). */
  async listAll(call: ScimCall): Promise<ScimAnswer> {
    return this.query(undefined, await this.server(call), readListQuery(call.query));
  }

  async replace(type: ResourceType, call: ScimCall, reference: string, body: unknown): Promise<ScimAnswer> {
    const server = await this.server(call);
    return changed(await server.operations(type).replace(reference, body, call.request));
  }

  async patch(type: ResourceType, call: ScimCall, reference: string, body: unknown): Promise<ScimAnswer> {
    const server = await this.server(call);
    return changed(await server.operations(type).patch(reference, body, call.request));
  }

  async delete(type: ResourceType, call: ScimCall, reference: string): Promise<ScimAnswer> {
    const server = await this.server(call);
    await server.operations(type).delete(reference, call.request);
    return new ScimAnswer(204);
  }

  async bulk(call: ScimCall, body: unknown): Promise<ScimAnswer> {
    const server = await this.server(call);
    return new ScimAnswer(200, await server.bulk(body, call.request));
  }

  /** RFC 7644 §3.11: 501 for a credential that stands for a provider and not for one of its users. */
  async me(call: ScimCall): Promise<ScimAnswer> {
    const { principal } = call;
    if (principal.kind !== 'user') {
      throw new ScimError(501, undefined, '/Me: this credential is not a user');
    }
    const server = await this.servers.of(principal.provider, call);
    const filter = `userName eq ${JSON.stringify(principal.userName)}`;
    const { Resources: found } = await server.listUsers({ filter, attributes: ['id'], count: 1 });
    const [user] = found as readonly JsonObject[];
    if (user === undefined) {
      throw new ScimError(404, undefined, '/Me: no user of this provider has the userName that the credential names');
    }
    const answer = await server.users.get(String(user.id), call.request);
    return new ScimAnswer(answer.body === undefined ? 304 : 200, answer.body, entityHeaders(answer));
  }

  private async query(
    type: ResourceType | undefined,
    server: ScimServer,
    parameters: ListParameters,
  ): Promise<ScimAnswer> {
    const list = { User: server.listUsers, Group: server.listGroups, all: server.search }[type ?? 'all'];
    return new ScimAnswer(200, await list.call(server, parameters));
  }

  private server(call: ScimCall): Promise<ScimServer> {
    return this.servers.of(providerOf(call.principal), call);
  }
}

function providerOf(principal: Principal): ProviderId {
  if (principal.kind !== 'provider') {
    throw new ForbiddenError('this credential may not act for a provider');
  }
  return principal.provider;
}

// RFC 7644 §3.14: the entity tag is in the ETag header as well as in meta.version. RFC 7643 §3.1: meta.location "MUST be
// the same as the 'Content-Location' HTTP response header".
function entityHeaders({ location, version }: ResourceAnswer): Record<string, string> {
  return { Location: location, 'Content-Location': location, ETag: version };
}

function changed(answer: ResourceAnswer): ScimAnswer {
  return new ScimAnswer(answer.body === undefined ? 204 : 200, answer.body, entityHeaders(answer));
}
