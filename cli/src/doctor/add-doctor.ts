import type { Command } from 'commander';
import { ApiClient, type ServiceName } from '../api/api-client.js';
import { addTokenOptions, type ConnectionOptions } from '../connection/connection-options.js';
import { findToken, findUrl } from '../connection/connection.js';
import { printable } from '../output/printable.js';
import { EXIT, type ExitCode, type Session } from '../session.js';
import { UsageError } from '../usage.error.js';
import { examineControlPlane } from './examine-control-plane.js';
import { examineService } from './examine-service.js';
import { examineTokenClaims } from './examine-token-claims.js';
import type { Finding } from './finding.js';

interface DoctorOptions extends ConnectionOptions {
  readonly scimUrl?: string;
  readonly controlUrl?: string;
  readonly json?: boolean;
}

/** Adds `doctor`. */
export function addDoctor(program: Command, session: Session, end: (code: ExitCode) => void): void {
  const command = program
    .command('doctor')
    .description(
      'Examine both services, and say what is wrong and what to do; ends with 1 when something is. Needs a token of an admin.',
    )
    .option('--scim-url <url>', 'address of the SCIM service, instead of the one from the environment')
    .option('--control-url <url>', 'address of the control plane, instead of the one from the environment')
    .option('--json', 'print the findings as JSON');
  addTokenOptions(command)
    .addHelpText('after', '\nExample:\n  palisade doctor --token-file .palisade/admin-token')
    .action(async (options: DoctorOptions) => {
      const findings = await examine(options, session);
      session.out(options.json ? `${JSON.stringify({ findings }, undefined, 2)}\n` : renderFindings(findings));
      end(findings.some(({ level }) => level === 'problem') ? EXIT.failed : EXIT.ok);
    });
}

async function examine(options: DoctorOptions, session: Session): Promise<readonly Finding[]> {
  const token = findToken('admin', options, session.env);
  if (token === undefined) {
    throw new UsageError('no token: give that of an admin with --token-file, PALISADE_TOKEN or PALISADE_TOKEN_FILE');
  }
  const connectTo = <Service extends ServiceName>(service: Service, url: string | undefined): ApiClient<Service> =>
    new ApiClient(service, {
      baseUrl: findUrl(service, url, session.env),
      token,
      timeoutMs: options.timeoutMs,
      signal: session.signal,
    });
  const [scim, control] = [connectTo('scim-service', options.scimUrl), connectTo('control-plane', options.controlUrl)];
  const one = { params: { query: { limit: 1 } } };
  const scimFindings = await examineService(
    'scim-service',
    scim,
    () => scim.api.GET('/api/v1/providers', one),
    session.now,
  );
  const { findings, isUsable } = await examineService(
    'control-plane',
    control,
    () => control.api.GET('/api/v1/tenants', one),
    session.now,
  );
  return [
    ...examineTokenClaims(token, session.now()),
    ...scimFindings.findings,
    ...findings,
    ...(isUsable ? await examineControlPlane(control.api) : []),
  ];
}

function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ level, check, text, advice }) => {
    const line = `${level.padEnd(7)}  ${printable(check)}: ${printable(text)}\n`;
    return advice === undefined ? line : `${line}         → ${advice}\n`;
  });
  const problems = findings.filter(({ level }) => level === 'problem').length;
  return `${lines.join('')}\n${problems === 0 ? 'Nothing is wrong.' : `${problems} ${problems === 1 ? 'thing is' : 'things are'} wrong.`}\n`;
}
