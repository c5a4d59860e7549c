import { duration, FLAG, integer, text } from '../kinds/basic-kinds.js';
import { ENDPOINT, HOST_PORT } from '../kinds/addresses.js';
import { REQUEST_PATH } from '../kinds/files.js';
import { METRIC_LABEL } from '../kinds/names.js';
import { Setting, SettingList } from '../sections/setting.decorator.js';

export class ControlPlaneSection {
  @Setting(HOST_PORT, 'Address of the HTTP listener; `SVC_CONTROL_LISTEN` wins.', { computedDefault: '`0.0.0.0:8980`' })
  readonly listen_addr?: string;
}

export class ObservabilitySection {
  @Setting(ENDPOINT, 'Where metrics are, for people and tools.')
  readonly metrics_endpoint?: string;

  @Setting(ENDPOINT, 'Where traces are, for people and tools.')
  readonly traces_endpoint?: string;

  @Setting(ENDPOINT, 'Where logs are, for people and tools.')
  readonly logs_endpoint?: string;

  @Setting(METRIC_LABEL, 'Label that carries the tenant where tenants share metrics.')
  readonly tenant_label: string = 'tenant_id';
}

export class ComplianceSection {
  @SettingList(
    text(63),
    'Frameworks that the installation has to satisfy; what each demands: [compliance](compliance.md).',
    {
      maxItems: 50,
    },
  )
  readonly frameworks: readonly string[] = [];

  @Setting(FLAG, 'Whether personal data is encrypted at rest; the control plane checks it against the frameworks.')
  readonly pii_encryption: boolean = false;

  @Setting(integer(1, 36_500, 'days'), 'How long action records are kept.')
  readonly audit_retention_days: number = 365;
}

export class HealthChecksSection {
  @Setting(REQUEST_PATH, 'Path that is asked of a proxy; it is well when the answer is 200 to 299.')
  readonly path: string = '/health/ready';

  @Setting(duration('100ms', '1h'), 'Time between two checks of a proxy.')
  readonly interval: string = '5s';

  @Setting(duration('10ms', '1m'), 'Time that a proxy has to answer; at most the interval.')
  readonly timeout: string = '2s';

  @Setting(integer(1, 100), 'So many good answers in a row make an unhealthy proxy healthy.')
  readonly rise: number = 2;

  @Setting(integer(1, 100), 'So many failures in a row make a healthy proxy unhealthy.')
  readonly fall: number = 3;

  @Setting(integer(0, 100, 'percent'), 'With fewer healthy proxies than that, all proxies of a pool are kept.')
  readonly panic_threshold: number = 50;

  @Setting(duration('1s', '1h'), 'A registered proxy without a heartbeat for this time is unhealthy.')
  readonly heartbeat_timeout: string = '15s';

  @Setting(
    duration('1s', '20d'),
    'A registered proxy without a heartbeat for this time is forgotten; more than `heartbeat_timeout`.',
  )
  readonly forget_after: string = '10m';
}
