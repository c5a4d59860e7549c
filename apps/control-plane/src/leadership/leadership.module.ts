import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Module } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneConfig } from '../config/control-plane.config.js';
import { Leadership } from './leadership.js';

const LEASE_NAME = 'control-plane';
/** When a leader has vanished, the others wait this long for its lease to run out. */
const LEASE_TTL_MS = 5000;

@Module({
  providers: [{ provide: Leadership, inject: [Store, ControlPlaneConfig], useFactory: createLeadership }],
  exports: [Leadership],
})
export class LeadershipModule {}

function createLeadership({ leases }: Store, { mayLead }: ControlPlaneConfig): Leadership {
  const holder = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  return new Leadership([leases], { name: LEASE_NAME, holder, ttlMs: LEASE_TTL_MS, mayLead });
}
