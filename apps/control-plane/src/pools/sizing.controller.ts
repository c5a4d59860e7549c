import { Get, Query } from '@nestjs/common';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { adminRoutes } from '@palisade/platform';
import { POOL_PROBLEMS } from './pools.errors.js';
import { SizingParameters, SizingResponse, toSizingResponse } from './sizing.dto.js';
import { SizingService } from './sizing.service.js';

const { AdminController, AdminRoute } = adminRoutes(POOL_PROBLEMS);

@AdminController('sizing', 'Sizing')
export class SizingController {
  constructor(private readonly sizing: SizingService) {}

  @Get()
  @AdminRoute('read', {
    id: 'getSizing',
    summary: 'How many proxies and connections a number of tenants needs',
    description:
      'From a table for 10 to 1000 tenants, interpolated between its rows; memory and CPU are those of the next row. Or from what tenants use at the moment, in proportion: ask when they are busy.',
    answer: SizingResponse,
    problems: ['NOTHING_MEASURED'],
  })
  get(@Admin() admin: AdminPrincipal, @Query() { tenants, from }: SizingParameters): Promise<SizingResponse> {
    return this.sizing.size(admin, tenants, from).then(({ size, measured }) => toSizingResponse(size, measured));
  }
}
