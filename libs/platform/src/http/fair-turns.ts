import type { Socket } from 'node:net';
import {
  HttpException,
  HttpStatus,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { SerialQueue, pause } from '@palisade/async';
import type { NextFunction, Request, Response } from 'express';
import { EMPTY, from, mergeMap, type Observable } from 'rxjs';
import type { FinishedRequest } from './observe-requests.js';
import { currentRequest, type RequestContext } from './request-context.js';

/** What a caller may be sent, in the long run and at once, before it has to let others go first. */
const FREE_BYTES_PER_MS = 4 * 1024;
const FREE_BURST_MS = 250;
/** What a request counts as beside the bytes that it is sent: a small answer takes work as well. */
const REQUEST_BYTES = 2 * 1024;
/** How many reads of a caller run at once while it is within the free rate. What they will be sent is not known before. */
const MAX_READS = 6;
/** How many requests of a caller may have begun within 50 ms, when it is alone and beside others; above the free rate, one. */
const MAX_YOUNG_ALONE = 16;
const MAX_YOUNG = 4;
/** An older request of others is not waited for: it waits for something else than the processor. */
const MAX_AGE_MS = 50;
/** The same for the own request of a caller above the free rate. */
const MAX_OWN_AGE_MS = 250;
/** How long somebody counts as asking as well. */
const MEMORY_MS = 1000;
/** How many requests of a caller may wait for their turn. */
const MAX_WAITING = 1000;
const LOOK_AGAIN_MS = 2;
const UNTIL_THEN = new AbortController().signal;
const MAX_ACCOUNTS = 10_000;

interface RequestUnderWay {
  readonly context: RequestContext | undefined;
  readonly socket: Socket;
  readonly startedAt: number;
  /** How many of the bytes that its connection has sent were charged, or are of earlier requests. */
  charged: number;
  /** Whose it is, and since when, once its turn has come. */
  begun?: { readonly account: Account; readonly at: number };
}

/** So many requests of the caller wait already that this one is not taken. */
export class TooManyRequestsException extends HttpException {
  readonly retryAfterSeconds = 1;

  constructor() {
    super(`expected at most ${MAX_WAITING} requests of one caller that wait`, HttpStatus.TOO_MANY_REQUESTS);
  }
}

/** What one caller was sent lately. */
class Account {
  readonly reads = new SerialQueue();
  readonly turns = new SerialQueue();
  /** How many requests wait for their turn. */
  waiting = 0;
  /** The requests that have begun and not ended. */
  readonly running = new Set<RequestUnderWay>();
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
    const isBusy = this.atOnce > 0 || this.reads.isBusy || this.turns.isBusy || this.running.size > 0;
    return this.settledAt <= now && !isBusy;
  }

  /** How many requests have begun within so many milliseconds, and not ended. */
  youngerThan(ageMs: number, now: number): number {
    let young = 0;
    for (const { begun } of this.running) {
      young += begun !== undefined && now - begun.at < ageMs ? 1 : 0;
    }
    return young;
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

interface Sighting {
  readonly caller: string;
  at: number;
}

/**
 * Divides the processor and the store between callers by what they ask for and are sent. A caller that is alone has sixteen
 * young requests at a time. Beside others, one within the free rate (4 MiB a second) has four, and one above it has a single
 * one, which lets young requests of all others go first, except of those who are above it as well. So a caller with few
 * requests waits for no more than a few small pieces of each that has many.
 */
@Injectable()
export class FairTurns implements NestInterceptor {
  private readonly underWay = new Map<Response, RequestUnderWay>();
  private readonly accounts = new Map<string, Account>();
  /** The caller who asked last, and the one before. */
  private last: Sighting | undefined;
  private lastOther: Sighting | undefined;

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
      request.begun?.account.running.delete(request);
    }
  };

  /**
   * Lets a request begin when it is its caller's turn. As an interceptor it runs after the guards, when the caller is known,
   * and before a body is read.
   *
   * @throws {TooManyRequestsException} when too many wait already
   */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const turn = this.begin(context.switchToHttp().getResponse<Response>());
    return turn === undefined
      ? next.handle()
      : from(turn).pipe(mergeMap((isAwaited) => (isAwaited ? next.handle() : EMPTY)));
  }

  /** Undefined when the request has begun; else tells, when its turn comes, whether its client still waits for it. */
  begin(response: Response): Promise<boolean> | undefined {
    const request = this.underWay.get(response);
    const caller = callerOf(request?.context);
    if (request === undefined || caller === undefined) {
      return undefined;
    }
    const now = performance.now();
    const account = this.accountOf(caller);
    account.charge(REQUEST_BYTES, now);
    this.notice(caller, now);
    if (!account.turns.isBusy && this.isTurnOf(caller, account, now)) {
      beginNow(request, account, now);
      return undefined;
    }
    if (account.waiting === MAX_WAITING) {
      throw new TooManyRequestsException();
    }
    account.waiting += 1;
    return account.turns.run(async () => {
      account.waiting -= 1;
      await this.untilTurnOf(caller, account, () => this.underWay.has(response));
      const isAwaited = this.underWay.has(response);
      if (isAwaited) {
        beginNow(request, account, performance.now());
      }
      return isAwaited;
    });
  }

  /** Runs one piece of reading, of a few MiB at most, when it is the caller's turn. */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    const account = this.accountOf(caller);
    account.running.forEach((request) => this.charge(request));
    if (account.atOnce < MAX_READS && !this.isToYield(caller, account, performance.now())) {
      return account.readAtOnce(read);
    }
    return account.reads.run(async () => {
      await this.letOthersGo(caller, account);
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

  private accountOf(caller: string): Account {
    const account = this.accounts.get(caller) ?? new Account();
    this.accounts.set(caller, account);
    return account;
  }

  private notice(caller: string, at: number): void {
    if (this.last?.caller === caller) {
      this.last.at = at;
    } else {
      this.lastOther = this.last;
      this.last = { caller, at };
    }
  }

  /** Whether anybody else has asked for something lately. */
  private isBesideOthers(caller: string, now: number): boolean {
    const other = this.last?.caller === caller ? this.lastOther : this.last;
    return other !== undefined && now - other.at < MEMORY_MS;
  }

  /** Whether the caller is above the free rate, and not alone. */
  private isToYield(caller: string, account: Account, now: number): boolean {
    return account.isOverdrawn(now) && this.isBesideOthers(caller, now);
  }

  private hasRoom(caller: string, account: Account, now: number): boolean {
    if (this.isToYield(caller, account, now)) {
      return account.youngerThan(MAX_OWN_AGE_MS, now) === 0;
    }
    const most = this.isBesideOthers(caller, now) ? MAX_YOUNG : MAX_YOUNG_ALONE;
    return account.running.size < most || account.youngerThan(MAX_AGE_MS, now) < most;
  }

  private isTurnOf(caller: string, account: Account, now: number): boolean {
    return this.hasRoom(caller, account, now) && !(this.isToYield(caller, account, now) && this.isAwaited(caller, now));
  }

  private async untilTurnOf(caller: string, account: Account, isAwaited: () => boolean): Promise<void> {
    while (isAwaited() && !this.hasRoom(caller, account, performance.now())) {
      await pause(LOOK_AGAIN_MS, UNTIL_THEN);
    }
    await this.letOthersGo(caller, account);
  }

  private async letOthersGo(caller: string, account: Account): Promise<void> {
    let now = performance.now();
    const until = now + MAX_AGE_MS;
    while (now < until && this.isToYield(caller, account, now) && this.isAwaited(caller, now)) {
      await pause(LOOK_AGAIN_MS, UNTIL_THEN);
      now = performance.now();
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

  private charge(request: RequestUnderWay): void {
    const caller = callerOf(request.context);
    const { bytesWritten } = request.socket;
    const bytes = bytesWritten - request.charged;
    request.charged = bytesWritten;
    if (caller === undefined || bytes <= 0) {
      return;
    }
    const now = performance.now();
    const account = request.begun?.account ?? this.accountOf(caller);
    account.charge(bytes, now);
    // The one that was charged last comes last, so the settled ones are in front.
    this.accounts.delete(caller);
    this.accounts.set(caller, account);
    this.forgetSettled();
  }
}

function beginNow(request: RequestUnderWay, account: Account, at: number): void {
  request.begun = { account, at };
  account.running.add(request);
}

function callerOf(context: RequestContext | undefined): string | undefined {
  const { provider, namespace, actor } = context?.logFields ?? {};
  return provider ?? namespace ?? actor;
}
