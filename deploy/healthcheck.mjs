/** The images' health check: asks /health/ready on the port of the listen variable that the argument names. */
import process from 'node:process';

const port = /:(\d+)$/.exec(process.env[process.argv[2]] ?? '')?.[1];
const response = await fetch(`http://localhost:${port}/health/ready`, { signal: AbortSignal.timeout(2500) }).catch(
  () => undefined,
);
process.exit(response?.ok ? 0 : 1);
