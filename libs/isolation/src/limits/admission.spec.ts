import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { liveLimits } from '../../test/support/live-limits.js';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { Admission } from './admission.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

describe(Admission.name, () => {
  it('counts only requests that are not rejected for another reason', () => {
    const perNamespace = { maxRps: 1, bytes: 10 };
    const admission = new Admission(
      liveLimits({ perNamespace, namespaces: new Map(), cpuWindowMs: 1000 }),
      new VirtualClock(),
    );
    const hold = admission.memory.hold(ACME, 10);
    expect(() => admission.admit(ACME)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT' }));
    hold[Symbol.dispose]();
    expect(() => admission.admit(ACME)).not.toThrow();
    expect(() => admission.admit(ACME)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });

  it('holds namespaces to limits of their own', () => {
    const namespaces = new Map([[BOLT, { maxRps: 2, cores: 0.001 }]]);
    const limits = liveLimits({ perNamespace: { maxRps: 1 }, namespaces, cpuWindowMs: 1000 });
    const admission = new Admission(limits, new VirtualClock());
    admission.admit(BOLT);
    expect(() => admission.admit(BOLT)).not.toThrow();
    admission.cpu.charge(new Map([[BOLT, 2]]));
    expect(() => admission.admit(BOLT)).toThrow(expect.objectContaining({ code: 'CPU_LIMIT' }));
  });
});
