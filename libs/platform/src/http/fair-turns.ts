import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { SerialQueue, pause } from '@palisade/async';
import type { NextFunction, Request, Response } from 'express';
import type { FinishedRequest } from './observe-requests.js';
import { currentRequest, type RequestContext } from './request-context.js';

/** What a caller may be sent, in the long run and at once, before it has to let others go first. */
const FREE_BYTES_PER_MS = 4 * 1024;
const FREE_BURST_MS = 250;
/** What a caller reads at a time at once: what it will be sent is not known before. */
const MAX_AT_A_TIME = 6;
/** An older request of others is not waited for: it waits for something else than the processor. */
const MAX_AGE_MS = 50;
const LOOK_AGAIN_MS = 2;
const UNTIL_THEN = new AbortController().signal;
const MAX_ACCOUNTS = 10_000;

interface RequestUnderWay {
  readonly context: RequestContext | undefined;
  readonly socket: Socket;
  readonly startedAt: number;
  /** How many of the bytes that its connection has sent were charged, or are of earlier requests. */
  charged: number;
}

/** What one caller was sent lately. */
class Account {
  readonly reads = new SerialQueue();
  /** How many reads are under way beside that one. */
  atOnce = 0;
  /** When everything would have been sent at the free rate. */
  private settledAt = 0;

  charge(bytes: number, now: number): void {
    this.settledAt = Math.max(this.settledAt, now) + bytes / FREE_BYTES_PER_MS;
  }

  isOverdrawn(now: number): boolean {
    return this.settledAt - now > FREE_BURST_MS;
  }

  isSettled(now: number): boolean {
    return this.settledAt <= now && this.atOnce === 0 && !this.reads.isBusy;
  }

  async readAtOnce<T>(read: () => Promise<T>): Promise<T> {
    this.atOnce += 1;
    try {
      return await read();
    } finally {
      this.atOnce -= 1;
    }
  }
}

/**
 * Divides the processor and the store between callers by what they are sent. A caller within the free rate (4 MiB a second)
 * reads six pieces at a time at once, and others one after the other. One above it reads one piece at a time, and lets young
 * requests of all others go first, except of those who are above it as well: a caller with few requests waits for no more
 * than one piece of each that has many.
 */
@Injectable()
export class FairTurns {
  private readonly underWay = new Map<Response, RequestUnderWay>();
  private readonly accounts = new Map<string, Account>();

  /** Middleware for every request; it counts what is sent. Must run right after `requestContext`. */
  readonly follow = (_request: Request, response: Response, next: NextFunction): void => {
    const { socket } = response.req;
    const startedAt = performance.now();
    const { bytesWritten: charged } = socket;
    this.underWay.set(response, { context: currentRequest(), socket, startedAt, charged });
    next();
  };

  /** To be called at the end of every request. */
  readonly end = (_request: FinishedRequest, response: Response): void => {
    const request = this.underWay.get(response);
    if (request !== undefined) {
      this.charge(request);
      this.underWay.delete(response);
    }
  };

  /** Runs one piece of reading, of a few MiB at most, when it is the caller's turn. */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    this.chargeAllOf(caller);
    const account = this.accounts.get(caller) ?? new Account();
    this.accounts.set(caller, account);
    if (account.atOnce < MAX_AT_A_TIME && !account.isOverdrawn(performance.now())) {
      return account.readAtOnce(read);
    }
    return account.reads.run(async () => {
      if (account.isOverdrawn(performance.now())) {
        await this.letOthersGo(caller);
      }
      return read();
    });
  }

  /** The same for whoever sent the current request. */
  runForCaller<T>(read: () => Promise<T>): Promise<T> {
    const caller = callerOf(currentRequest());
    return caller === undefined ? read() : this.run(caller, read);
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.accounts.size;
  }

  /** Also called whenever something was sent. */
  forgetSettled(): void {
    const now = performance.now();
    for (const [caller, account] of this.accounts) {
      if (this.accounts.size <= MAX_ACCOUNTS && !account.isSettled(now)) {
        return;
      }
      this.accounts.delete(caller);
    }
  }

  private async letOthersGo(caller: string): Promise<void> {
    const until = performance.now() + MAX_AGE_MS;
    for (let now = performance.now(); now < until && this.isAwaited(caller, now); now = performance.now()) {
      await pause(LOOK_AGAIN_MS, UNTIL_THEN);
    }
  }

  /** Whether somebody else, who is not sent as much, has just asked for something. */
  private isAwaited(caller: string, now: number): boolean {
    return this.underWay.values().some(({ context, startedAt }) => {
      const other = callerOf(context);
      const isOther = other === undefined || (other !== caller && !this.accounts.get(other)?.isOverdrawn(now));
      return isOther && now - startedAt < MAX_AGE_MS;
    });
  }

  private chargeAllOf(caller: string): void {
    for (const request of this.underWay.values()) {
      if (callerOf(request.context) === caller) {
        this.charge(request);
      }
    }
  }

  private charge(request: RequestUnderWay): void {
    const caller = callerOf(request.context);
    const { bytesWritten } = request.socket;
    const bytes = bytesWritten - request.charged;
    request.charged = bytesWritten;
    if (caller === undefined || bytes <= 0) {
      return;
    }
    const now = performance.now();
    const account = this.accounts.get(caller) ?? new Account();
    account.charge(bytes, now);
    // The one that was charged last comes last, so the settled ones are in front.
    this.accounts.delete(caller);
    this.accounts.set(caller, account);
    this.forgetSettled();
  }
}

function callerOf(context: RequestContext | undefined): string | undefined {
  return context?.logFields['provider'] ?? context?.logFields['actor'];
}
