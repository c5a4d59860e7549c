import { Get, Query } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { sizeFor } from './size.js';
import { SizingParameters, SizingResponse, toSizingResponse } from './sizing.dto.js';

const { AdminController, AdminRoute } = adminRoutes({});

@AdminController('sizing', 'Sizing')
export class SizingController {
  @Get()
  @AdminRoute('read', {
    id: 'getSizing',
    summary: 'How many proxies and connections a number of tenants needs',
    description:
      'From a table for 10 to 1000 tenants, in a straight line between its rows; memory and CPU are those of the next row.',
    answer: SizingResponse,
  })
  get(@Query() { tenants }: SizingParameters): SizingResponse {
    return toSizingResponse(sizeFor(tenants));
  }
}
