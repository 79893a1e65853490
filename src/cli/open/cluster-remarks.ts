import type {ContextRemark} from '#app/parts/frame.ts';
import type {Say} from '#cli/io/io.ts';
import type {Cluster} from '#service/kubernetes/open-cluster.ts';

/** Warnings that are kept for the end; the oldest give way. */
const keptMax = 100;

/** Warnings while screens are open, which stderr would be written over. */
type ScreenWarnings = {
  readonly warn: Say;
  /** The screens are open: they get the last warning so far, and all from now on. */
  show(notice: Say): void;
  /** Says all again once the terminal is restored: a key may hide a notice before it is read. */
  repeat(say: Say): void;
};

/** Creates an empty list of warnings. */
export const createScreenWarnings = (): ScreenWarnings => {
  const kept = new Set<string>();
  let notice: Say | undefined;
  return {
    warn: sentence => {
      const [oldest] = kept;
      if (kept.size >= keptMax && oldest !== undefined) {
        kept.delete(oldest);
      }
      kept.add(sentence);
      notice?.(sentence);
    },
    show: given => {
      notice = given;
      const last = [...kept].at(-1);
      if (last !== undefined) {
        given(last);
      }
    },
    repeat: say => kept.forEach(sentence => void say(sentence)),
  };
};

/** Says in a sentence without its stop what it means that nobody checks the certificate. */
export const unverifiedWords = (address: string): string =>
  `the certificate of ${address} is not checked (insecure-skip-tls-verify): whoever is between can read the credentials and change the logs`;

/** Returns what every screen's header says about how clusters are reached; of several, each by its context. */
export const clusterRemarks = (
  clusters: readonly Pick<Cluster, 'actsAs' | 'isUnverified' | 'contextName'>[],
): readonly ContextRemark[] =>
  clusters.flatMap(({actsAs, isUnverified, contextName}) => {
    const name = clusters.length > 1 ? `${contextName}: ` : '';
    return [
      ...(isUnverified ? [{words: `${name}TLS not checked`, isWarning: true}] : []),
      ...(actsAs === undefined ? [] : [{words: `${name}as ${actsAs}`, isWarning: false}]),
    ];
  });
