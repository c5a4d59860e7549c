import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { ServiceProcess } from './support/service-process.js';
import { SERVICES, environmentOf, isStored } from './support/services-under-test.js';
import { ConstantTraffic, summarize, type Exchange } from './support/traffic/constant-traffic.js';

const MINUTE_MS = 60_000;
const LANES = 4;

const hasFailed = ({ answer }: Exchange): boolean => answer === undefined || answer.status >= 400;
const isFrom =
  ({ origin }: ServiceProcess) =>
  (exchange: Exchange): boolean =>
    exchange.origin === origin;

describe.each(SERVICES)('%s on SIGTERM under load', (name, { create, find }) => {
  let database: ScratchDatabase;

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it(
    'drops no request of clients that keep their connections, loses nothing acknowledged, and ends with 0',
    async () => {
      const environment = environmentOf(name, database.url);
      await using leaving = await ServiceProcess.spawn(name, environment);
      await using staying = await ServiceProcess.spawn(name, environment);
      await Promise.all([leaving.untilReadiness(200), staying.untilReadiness(200)]);
      const nameOf = (lane: number, at: number): string => `under-load-${lane}-${at}`;
      await using traffic = new ConstantTraffic([leaving.origin, staying.origin], LANES, (lane, at) =>
        at % 2 === 0 ? create(nameOf(lane, at)) : find(nameOf(lane, at - 1)),
      );
      await traffic.untilMore(100, isFrom(leaving));
      expect(await leaving.end('SIGTERM')).toBe(0);
      await traffic.untilMore(50, isFrom(staying));
      await traffic.stop();
      expect(summarize(traffic.exchanges.filter(hasFailed))).toEqual([]);
      const last = traffic.exchanges
        .filter(({ answer }) => answer?.status === 201)
        .filter(isFrom(leaving))
        .slice(-20);
      for (const { answer } of last) {
        const { externalId, tenant_id: object = externalId } = JSON.parse(answer?.text ?? '{}');
        expect(await isStored(staying, find(object), object)).toBe(true);
      }
    },
    MINUTE_MS,
  );
});
