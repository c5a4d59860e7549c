import { ServiceProcess } from './service-process.js';

export type ScimProcess = ServiceProcess;

/** The built SCIM service as a process of its own. */
export const ScimProcess = {
  /** Starts it on a free port of the loopback; resolves before it is ready. */
  spawn(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    return ServiceProcess.spawn('scim-service', environment);
  },
};
