import type { ConnectionDriver } from '../pools/connection-driver.js';
import type { BackendDriver, ScopedClient } from './backend-driver.js';
import { UnknownBackendError } from './unknown-backend.error.js';

/** A class of drivers, which says what kind of connections a backend has. */
export type DriverClass<C> = abstract new (...args: never[]) => ConnectionDriver<C>;

/** A class of drivers, which says what kind of connections a backend has, and what kind of clients. */
export type BackendDriverClass<C, S extends ScopedClient> = abstract new (...args: never[]) => BackendDriver<C, S>;

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

/** @throws {UnknownBackendError} when there is no such backend, or its driver is of another class */
export function requireBackend<C, S extends ScopedClient>(
  backend: string,
  drivers: Readonly<Record<string, ConnectionDriver<unknown>>>,
  driverClass: BackendDriverClass<C, S>,
): BackendDriver<C, S> {
  const driver = Object.hasOwn(drivers, backend) ? drivers[backend] : undefined;
  if (driver === undefined) {
    throw new UnknownBackendError(backend, `one of ${Object.keys(drivers).join(', ')}`);
  }
  if (!(driver instanceof driverClass)) {
    throw new UnknownBackendError(backend, `a driver of class ${driverClass.name}`);
  }
  return driver;
}
