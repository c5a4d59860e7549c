import { Body, HttpStatus, Post } from '@nestjs/common';
import type { ChangeContext, ProviderId } from '@palisade/domain';
import { Change, adminRoutes } from '@palisade/platform';
import { PROVIDER_PROBLEMS } from '../providers/providers.errors.js';
import { ProviderParam, UserParam } from '../path-parameters.js';
import {
  RECONCILE_EXAMPLES,
  ReconcileBody,
  ReconcileResponse,
  toReconcileResponse,
  toUserSummary,
  UserSummary,
} from './deprovisioning.dto.js';
import { DeprovisioningService } from './deprovisioning.service.js';

const { AdminController, FullAdminRoute } = adminRoutes(PROVIDER_PROBLEMS);

@AdminController('providers/:provider', 'Deprovisioning')
export class DeprovisioningController {
  constructor(private readonly deprovisioning: DeprovisioningService) {}

  @Post('users/:user/deactivate')
  @FullAdminRoute('operate', {
    id: 'deactivateUser',
    summary: 'Mark a user inactive',
    description: 'Memberships and bindings stay; the user has no access any more. Repeating it changes nothing.',
    status: HttpStatus.OK,
    answer: UserSummary,
    problems: ['PROVIDER_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'PROVIDER_BUSY'],
  })
  deactivate(
    @ProviderParam('provider', 'default') provider: ProviderId,
    @UserParam('user', 'ada') user: string,
    @Change() change: ChangeContext,
  ): Promise<UserSummary> {
    return this.deprovisioning.deactivate(provider, user, change).then(toUserSummary);
  }

  @Post('reconcile')
  @FullAdminRoute('operate', {
    id: 'reconcileDeprovisioned',
    summary: 'Report, and remove if asked to, the memberships of inactive users',
    body: { type: ReconcileBody, examples: RECONCILE_EXAMPLES, isOptional: true },
    status: HttpStatus.OK,
    answer: ReconcileResponse,
    problems: ['PROVIDER_NOT_FOUND', 'PROVIDER_BUSY'],
  })
  reconcile(
    @ProviderParam('provider', 'default') provider: ProviderId,
    @Body() body: ReconcileBody,
    @Change() change: ChangeContext,
  ): Promise<ReconcileResponse> {
    return this.deprovisioning.reconcile(provider, body, change).then(toReconcileResponse);
  }
}
