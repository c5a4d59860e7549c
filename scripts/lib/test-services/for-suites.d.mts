export interface Server {
  readonly pid: number | undefined;
  /** Starts it again, on the same port, after stop(); resolves when clients can come. */
  start(): Promise<void>;
  /** Sends a signal (SIGTERM); resolves when the server has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface UrlServer extends Server {
  readonly url: string;
  readonly port: number;
}

export interface KafkaBroker extends Server {
  readonly brokers: string;
  readonly saslBrokers: string;
  readonly tlsBrokers: string;
  readonly tlsDirectory: string;
}

interface ServerPlan {
  readonly program: string;
  readonly directory: string;
  readonly args?: readonly string[];
}

interface KafkaPlan {
  readonly java: string;
  readonly openssl: string;
  readonly jars: readonly string[];
  readonly directory: string;
}

export function variableOf(name: string): string;
export function findProgram(name: string): string | undefined;
export function startRedis(plan: ServerPlan): Promise<UrlServer>;
export function startNats(plan: ServerPlan): Promise<UrlServer>;
export function startPrometheus(plan: ServerPlan): Promise<UrlServer>;
export function provideKafkaJars(signal: AbortSignal): Promise<string[]>;
export function startKafka(plan: KafkaPlan): Promise<KafkaBroker>;
export function issueCertificate(openssl: string, directory: string, name: string): Promise<void>;
