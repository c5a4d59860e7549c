import { Injectable } from '@nestjs/common';
import { ForbiddenError, type AdminPrincipal } from '@palisade/guards';
import { UsageService } from '../usage/usage.service.js';
import { NothingMeasuredError } from './pools.errors.js';
import { type Measured, type Size, sizeFor, sizeFromMeasured } from './size.js';

/** How large an installation has to be. */
@Injectable()
export class SizingService {
  constructor(private readonly usage: UsageService) {}

  /**
   * From what tenants use now, if that is asked for, otherwise from the table.
   *
   * @throws {ForbiddenError} when an admin of some namespaces asks what all tenants use
   * @throws {NothingMeasuredError} when no proxy reports anything
   */
  async size(
    admin: AdminPrincipal,
    tenants: number,
    from: 'table' | 'usage',
  ): Promise<{ readonly size: Size; readonly measured?: Measured }> {
    if (from === 'table') {
      return { size: sizeFor(tenants) };
    }
    if (admin.namespaces !== '*') {
      throw new ForbiddenError('sizing from usage needs an admin of all namespaces');
    }
    const uses = await this.usage.tenants();
    if (uses.size === 0) {
      throw new NothingMeasuredError();
    }
    const connections = uses.values().reduce((sum, { sum: { load } }) => sum + load, 0);
    const measured = { tenants: uses.size, connections };
    return { size: sizeFromMeasured(tenants, measured), measured };
  }
}
