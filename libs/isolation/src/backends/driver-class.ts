import type { ConnectionDriver } from '../pools/connection-driver.js';
import { UnknownBackendError } from './unknown-backend.error.js';

/** A class of drivers, which says what kind of connections a backend has. */
export type DriverClass<C> = abstract new (...args: never[]) => ConnectionDriver<C>;

/** @throws {UnknownBackendError} when the driver is of another class */
export function requireDriver<C>(
  backend: string,
  driver: ConnectionDriver<unknown>,
  driverClass: DriverClass<C>,
): void {
  if (!(driver instanceof driverClass)) {
    throw new UnknownBackendError(backend, `a driver of class ${driverClass.name}`);
  }
}
