import {setNewest} from '#base/bounds.ts';
import type {Surroundings} from '#service/surroundings/surroundings.ts';
import {networkOf} from '../listen/client-address.ts';

/** Addresses that are remembered. Past this the one that failed longest ago is forgotten. */
const networksMax = 1_024;
/** An address that has failed no more for so long is forgotten. */
const rememberedMs = 10 * 60_000;
/** Refusals of an address that are not slowed: somebody copies a token wrong, or several programs have an old one. */
const freeCount = 5;
/** The first refusal that is slowed waits this long; each further one twice as long, up to the maximum. */
const [firstDelayMs, delayMsMax] = [250, 4_000];
/** A sentence at once, and then at most one in so long. */
const tellIntervalMs = 60_000;

type FailedLoginsOptions = Pick<Surroundings, 'monotonicMs' | 'warn'>;

/** Requests with a wrong token: counted, told to the operator, and slowed by address. */
export const createFailedLogins = ({warn, monotonicMs}: FailedLoginsOptions) => {
  /** By network; the one that failed last comes last. */
  const failures = new Map<string, {readonly count: number; readonly atMs: number}>();
  /** Not told yet, by address. */
  const untold = new Map<string, number>();
  let untoldCount = 0;
  let timer: NodeJS.Timeout | undefined;

  const tell = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const [address, count] = [...untold].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
    if (untoldCount > 0) {
      warn(
        `${untoldCount} more requests with a wrong token were refused in the last minute, most from ${address} (${count}).`,
      );
      timer = setTimeout(tell, tellIntervalMs).unref();
    }
    untold.clear();
    untoldCount = 0;
  };

  const tellSoon = (address: string): void => {
    if (!timer) {
      warn(`A request from ${address} was refused: its token is none of this service.`);
      timer = setTimeout(tell, tellIntervalMs).unref();
      return;
    }
    untoldCount += 1;
    if (untold.has(address) || untold.size < networksMax) {
      untold.set(address, (untold.get(address) ?? 0) + 1);
    }
  };

  return {
    /** Counts one, and returns how long its answer waits, in milliseconds. */
    note: (address: string): number => {
      tellSoon(address);
      const network = networkOf(address);
      const atMs = monotonicMs();
      const before = failures.get(network);
      const count = before && atMs - before.atMs < rememberedMs ? before.count + 1 : 1;
      setNewest(failures, network, {count, atMs}, networksMax);
      return count <= freeCount ? 0 : Math.min(firstDelayMs * 2 ** (count - freeCount - 1), delayMsMax);
    },
    /** Tells what was not told yet, and nothing from then on. */
    stop: (): void => {
      tell();
      clearTimeout(timer);
    },
  };
};
