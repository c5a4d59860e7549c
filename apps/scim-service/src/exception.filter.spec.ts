import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ArgumentsHost, Logger } from '@nestjs/common';
import type { ProblemDetailsFilter } from '@palisade/platform';
import { ScimServiceExceptionFilter } from './exception.filter.js';

describe(ScimServiceExceptionFilter.name, () => {
  const logged = jest.fn();
  beforeEach(() => {
    logged.mockReset();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(logged);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function catchOn(response: { readonly closed: boolean }, error: unknown): void {
    const http = {
      getRequest: () => ({ path: '/scim/v2/Bulk' }),
      getResponse: () => ({ ...response, headersSent: true, destroy: () => {} }),
    };
    const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
    new ScimServiceExceptionFilter({} as ProblemDetailsFilter).catch(error, host);
  }

  it('logs no error for a client that has disconnected before the work was done', () => {
    const gone = new AbortController();
    gone.abort();
    catchOn({ closed: true }, gone.signal.reason);
    expect(logged).not.toHaveBeenCalled();
  });

  it('logs any other failure, even after the client has disconnected', () => {
    catchOn({ closed: true }, new Error('boom'));
    expect(logged).toHaveBeenCalledTimes(1);
  });
});
