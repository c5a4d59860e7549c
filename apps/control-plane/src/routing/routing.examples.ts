import type { ExamplesObject } from '@nestjs/swagger';

export const EXPLAIN_EXAMPLES: ExamplesObject = {
  namespace: { summary: 'A namespace', value: { namespace: 'acme-orders' } },
  tenant: {
    summary: 'A tenant that might be',
    value: { tenant_id: 'initech', tier: 'premium', annual_revenue: 25_000 },
  },
};
