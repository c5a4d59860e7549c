import type { Command } from 'commander';
import { ApiClient, type ServiceName } from '../command/api-client.js';
import { addTokenOptions, type ConnectionOptions } from '../command/connection-options.js';
import { findToken, findUrl } from '../command/connection.js';
import { addOutputOptions, renderAnswer, type OutputOptions } from '../command/output-options.js';
import { printable } from '../command/output.js';
import { EXIT, type CommandContext, type End } from '../command/context.js';
import { UsageError } from '../command/command.errors.js';
import { examineControlPlane } from './examine-control-plane.js';
import { examineService, examineTokenClaims } from './examine-service.js';
import type { Finding } from './finding.js';

interface DoctorOptions extends ConnectionOptions, OutputOptions {
  readonly scimUrl?: string;
  readonly controlUrl?: string;
}

/** Adds `doctor`. */
export function addDoctor(program: Command, context: CommandContext, end: End): void {
  const command = program
    .command('doctor')
    .description(
      'Check both services and explain any problem and what to do about it; ends with 1 if there is one. Needs an admin token.',
    )
    .option('--scim-url <url>', 'address of the SCIM service, instead of the one from the environment')
    .option('--control-url <url>', 'address of the control plane, instead of the one from the environment');
  addTokenOptions(addOutputOptions(command))
    .addHelpText('after', '\nExample:\n  palisade doctor --token-file .palisade/admin-token')
    .action(async (options: DoctorOptions) => {
      const findings = await examine(options, context);
      context.out(options.output === 'table' ? renderFindings(findings) : renderAnswer({ findings }, options.output));
      end(findings.some(({ level }) => level === 'problem') ? EXIT.failed : EXIT.ok);
    });
}

async function examine(options: DoctorOptions, context: CommandContext): Promise<readonly Finding[]> {
  const token = findToken('admin', options, context.env);
  if (token === undefined) {
    throw new UsageError("no token: give an admin's token with --token-file, PALISADE_TOKEN or PALISADE_TOKEN_FILE");
  }
  const connectTo = <Service extends ServiceName>(service: Service, url: string | undefined): ApiClient<Service> =>
    new ApiClient(service, {
      baseUrl: findUrl(service, url, context.env),
      token,
      timeoutMs: options.timeoutMs,
      signal: context.signal,
    });
  const [scim, control] = [connectTo('scim-service', options.scimUrl), connectTo('control-plane', options.controlUrl)];
  const one = { params: { query: { limit: 1 } } };
  const scimFindings = await examineService(
    'scim-service',
    scim,
    () => scim.api.GET('/api/v1/providers', one),
    context.now,
  );
  const { findings, isUsable } = await examineService(
    'control-plane',
    control,
    () => control.api.GET('/api/v1/tenants', one),
    context.now,
  );
  return [
    ...examineTokenClaims(token, context.now()),
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
  return `${lines.join('')}\n${problems === 0 ? 'No problems found.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`}\n`;
}
