import process from 'node:process';
import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Jest's runtime asks for a context to load modules into; none is loaded, because Node.js loads them (loader.mjs). */
const UNUSED_CONTEXT = createContext();

/**
 * The worker process itself as the environment of a suite, so that modules which one suite has loaded serve the next.
 * What a suite changes in `process.env`, and what Jest replaces per suite, is put back when the suite has ended.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #before = { env: { ...process.env }, console, exit: process.exit, stackTraceLimit: Error.stackTraceLimit };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return UNUSED_CONTEXT;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env, exit, stackTraceLimit } = this.#before;
    for (const name of Object.keys(process.env).filter((key) => !Object.hasOwn(env, key))) {
      delete process.env[name];
    }
    Object.assign(process.env, env);
    globalThis.console = this.#before.console;
    process.exit = exit;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
