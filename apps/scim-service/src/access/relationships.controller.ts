import { adminRoutes } from '@palisade/platform';
import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { parseProviderId } from '@palisade/domain';
import { PROVIDER_PROBLEMS } from '../providers/providers.errors.js';
import { RELATIONSHIP_FORMATS } from './relationship-formats.js';
import { ExportParameters } from './relationships.dto.js';
import { RELATIONSHIPS_CONTENT } from './relationships.examples.js';
import { RelationshipsService } from './relationships.service.js';
import { sendRelationships } from './send-relationships.js';

const { AdminController, FullAdminRoute } = adminRoutes(PROVIDER_PROBLEMS);

@AdminController('relationships', 'Access')
export class RelationshipsController {
  constructor(private readonly relationships: RelationshipsService) {}

  @Get()
  @FullAdminRoute('read', {
    id: 'exportRelationships',
    summary: 'Export what gives access as relationship tuples, for OpenFGA or SpiceDB',
    description:
      'Streamed: `namespace:N#write@group:scim:p:g#member`, `group:scim:p:g#member@user:scim:p:u` and, for nested ' +
      'groups, `group:scim:p:g#member@group:scim:p:h#member`. Inactive users, dangling and suspended bindings are left out.',
    content: RELATIONSHIPS_CONTENT,
    problems: ['PROVIDER_BUSY'],
  })
  export(@Query() { format, provider }: ExportParameters, @Res() response: Response): Promise<void> {
    const batches = this.relationships.export(provider === undefined ? undefined : parseProviderId(provider));
    return sendRelationships(response, RELATIONSHIP_FORMATS[format], batches);
  }
}
