import type { ExamplesObject } from '@nestjs/swagger';

export const RECONCILE_EXAMPLES: ExamplesObject = {
  report: { summary: 'Only report', value: {} },
  apply: { summary: 'Remove them as well', value: { apply: true } },
};
