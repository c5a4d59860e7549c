import { choice, duration } from '../kinds/basic-kinds.js';
import { HOST_PORT } from '../kinds/addresses.js';
import { COMMAND } from '../kinds/command.js';
import { FILE_PATH, PROGRAM } from '../kinds/files.js';
import { HEADER_NAME } from '../kinds/names.js';
import { Setting } from '../sections/setting.decorator.js';

export const LOAD_BALANCERS = ['haproxy', 'nginx', 'envoy'] as const;

export class LoadBalancerSection {
  @Setting(choice(LOAD_BALANCERS), 'The program that requests go through.', { required: true })
  readonly type!: (typeof LOAD_BALANCERS)[number];

  @Setting(FILE_PATH, 'File that the control plane owns; its maps and last good copy lie beside it.', {
    required: true,
  })
  readonly config_path!: string;

  @Setting(COMMAND, 'How a new configuration is taken up, where the way of the load balancer itself is not wanted.', {
    computedDefault: "the load balancer's own way; with HAProxy that needs `master_socket`",
  })
  readonly reload_command?: string | readonly string[];

  @Setting(HOST_PORT, 'Address that the load balancer listens on.')
  readonly bind: string = '0.0.0.0:8080';

  @Setting(FILE_PATH, 'PEM with certificate and key of the listener; absent: without TLS.')
  readonly certificate_file?: string;

  @Setting(FILE_PATH, 'Socket of the master process (`haproxy -W -S`).', { appliesTo: 'haproxy' })
  readonly master_socket?: string;

  @Setting(FILE_PATH, 'Socket for changes without a reload (`stats socket … level admin`).', { appliesTo: 'haproxy' })
  readonly runtime_socket?: string;

  @Setting(PROGRAM, 'The program that a configuration is validated with.', { computedDefault: 'the `type`' })
  readonly binary?: string;

  @Setting(HEADER_NAME, 'Request header that names the namespace.')
  readonly namespace_header: string = 'x-palisade-namespace';

  @Setting(
    choice(['header', 'host']),
    'Where the namespace of a request is read: that header, or the first label of the host.',
  )
  readonly namespace_source: 'header' | 'host' = 'header';

  @Setting(duration('0ms', '1m'), 'Changes within this time are applied together.')
  readonly coalesce: string = '250ms';

  @Setting(duration('1s', '10m'), 'Time that validating or reloading may take.')
  readonly command_timeout: string = '30s';

  @Setting(duration('1s', '1d'), 'Time between two comparisons of what is there with what should be.')
  readonly drift_interval: string = '1m';
}
