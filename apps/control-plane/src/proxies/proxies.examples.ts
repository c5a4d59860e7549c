import type { ExamplesObject } from '@nestjs/swagger';

export const REGISTER_PROXY_EXAMPLES: ExamplesObject = {
  minimal: {
    summary: 'A proxy of the pool "standard"',
    value: { id: 'standard-1', pool: 'standard', host: '10.0.0.7', port: 8080 },
  },
  weighted: {
    summary: 'With half of the usual weight',
    value: { id: 'standard-2', pool: 'standard', host: 'proxy-2.example.com', port: 8080, weight: 50 },
  },
};

export const ADJUST_PROXY_EXAMPLES: ExamplesObject = {
  drain: { summary: 'Before maintenance', value: { draining: true } },
  weight: { summary: 'A smaller share', value: { weight: 10 } },
};
