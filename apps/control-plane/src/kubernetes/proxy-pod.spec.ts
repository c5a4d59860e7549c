import { describe, expect, it } from '@jest/globals';
import { readProxyPod, type ProxyPod } from './proxy-pod.js';

const METADATA = {
  name: 'a',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  createdAt: '',
  isTerminating: false,
  labels: new Map([['prism.io/pool', 'standard']]),
  annotations: new Map([['prism.io/weight', '5']]),
};

function read(object: object): ProxyPod {
  return readProxyPod(METADATA, { ...object }, { poolLabel: 'prism.io/pool', portName: 'proxy' });
}
const portOf = (spec: object): number | undefined => read({ spec }).port;

describe(readProxyPod.name, () => {
  it('reads what matters', () => {
    const status = { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] };
    expect(read({ spec: { containers: [{ ports: [{ name: 'proxy', containerPort: 80 }] }] }, status })).toEqual({
      name: 'a',
      isReady: true,
      isTerminating: false,
      hasEnded: false,
      ip: '10.0.0.1',
      port: 80,
      pool: 'standard',
      weight: '5',
    });
  });

  it.each([
    [
      'the port of that name',
      { containers: [{ ports: [{ name: 'x', containerPort: 1 }] }, { ports: [{ name: 'proxy', containerPort: 2 }] }] },
      2,
    ],
    [
      'the port of a sidecar',
      { containers: [{}], initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'proxy', containerPort: 3 }] }] },
      3,
    ],
    [
      'no port of a container that has ended',
      { initContainers: [{ ports: [{ name: 'proxy', containerPort: 4 }] }] },
      undefined,
    ],
    [
      'no port for datagrams',
      { containers: [{ ports: [{ name: 'proxy', containerPort: 5, protocol: 'UDP' }] }] },
      undefined,
    ],
    ['no port without a name', { containers: [{ ports: [{ containerPort: 6 }] }] }, undefined],
    ['no port that cannot be', { containers: [{ ports: [{ name: 'proxy', containerPort: 65_536 }] }] }, undefined],
    ['no port of what is no container', { containers: [null, 'x', { ports: 'y' }] }, undefined],
  ])('takes %s', (_, spec, port) => {
    expect(portOf(spec)).toBe(port);
  });

  it.each(['Succeeded', 'Failed'])('has ended in the phase %s', (phase) => {
    expect(read({ status: { phase } }).hasEnded).toBe(true);
  });

  it.each([
    { type: 'Ready', status: 'False' },
    { type: 'Ready', status: 'Unknown' },
    { type: 'ContainersReady', status: 'True' },
    'Ready',
  ])('is not ready with %j', (condition) => {
    expect(read({ status: { conditions: [condition] } }).isReady).toBe(false);
  });
});
