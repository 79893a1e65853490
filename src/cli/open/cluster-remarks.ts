import type {ContextRemark} from '#app/state/state.ts';
import type {Cluster} from '#service/kubernetes/open-cluster.ts';

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
