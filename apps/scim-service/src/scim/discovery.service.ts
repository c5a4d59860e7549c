import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '@palisade/guards';
import {
  LIST_RESPONSE_URN,
  SCIM_LIMITS,
  ScimError,
  resourceTypeResources,
  schemaResources,
  serviceProviderConfig,
} from '@palisade/scim';
import type { JsonObject } from '@palisade/domain';
import { ScimAnswer } from './scim-answer.js';
import type { ScimCall } from './scim-call.js';
import { ScimServers } from './scim-servers.js';

const DOCUMENTS = { ResourceTypes: resourceTypeResources, Schemas: schemaResources } as const;
export type DiscoveryEndpoint = keyof typeof DOCUMENTS;

/** The discovery documents (RFC 7644 §4), with the extensions of the caller's provider. */
@Injectable()
export class DiscoveryService {
  constructor(private readonly servers: ScimServers) {}

  getConfig(call: ScimCall): ScimAnswer {
    rejectFilter(call);
    const {
      maxBulkOperations: maxOperations,
      maxBulkBytes: maxPayloadSize,
      defaultPageSize,
      maxPageSize,
    } = SCIM_LIMITS;
    const baseUrl = this.servers.baseUrl(call);
    return new ScimAnswer(
      200,
      serviceProviderConfig({ baseUrl, defaultPageSize, maxPageSize, maxOperations, maxPayloadSize }),
    );
  }

  async list(endpoint: DiscoveryEndpoint, call: ScimCall): Promise<ScimAnswer> {
    rejectFilter(call);
    const documents = await this.documents(endpoint, call);
    // RFC 7644 §4: parameters of a query other than a filter "SHALL be ignored".
    return new ScimAnswer(200, {
      schemas: [LIST_RESPONSE_URN],
      totalResults: documents.length,
      itemsPerPage: documents.length,
      startIndex: 1,
      Resources: documents,
    });
  }

  async get(endpoint: DiscoveryEndpoint, call: ScimCall, id: string): Promise<ScimAnswer> {
    const documents = await this.documents(endpoint, call);
    // RFC 7643 §2.1: schema URNs are compared without regard to case, as attribute names are.
    const document = documents.find((each) => String(each.id).toLowerCase() === id.toLowerCase());
    if (document === undefined) {
      throw new ScimError(404, undefined, `/${endpoint}: nothing has the id ${JSON.stringify(id.slice(0, 300))}`);
    }
    return new ScimAnswer(200, document);
  }

  private async documents(endpoint: DiscoveryEndpoint, call: ScimCall): Promise<JsonObject[]> {
    const { principal } = call;
    if (principal.kind === 'admin' || principal.kind === 'proxy') {
      throw new ForbiddenError('discovery is for providers and users');
    }
    const { users, groups } = await this.servers.of(principal.provider, call);
    return DOCUMENTS[endpoint]([users.schema, groups.schema], this.servers.baseUrl(call));
  }
}

// RFC 7644 §4: "If a 'filter' is provided, the service provider SHOULD respond with HTTP status code 403", so that no
// client assumes that it was applied.
function rejectFilter({ query }: ScimCall): void {
  if (query.filter !== undefined) {
    throw new ScimError(403, undefined, 'filter: discovery endpoints cannot be filtered');
  }
}
