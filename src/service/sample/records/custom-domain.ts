import {organisationId, userIdOf} from '../plan/people.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {makeId} from '../seed/make-id.ts';
import {createRandom} from '../seed/random.ts';

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Creates a block in the form of RFC 7468. Its content is random: it opens nothing, but is as long as a real one and
 * looks as secret.
 */
const makePem = (label: string, seed: string): string => {
  const random = createRandom('pem', label, seed);
  const rows = Array.from({length: 25}, () => random.text(base64Alphabet, 64));
  return [`-----BEGIN ${label}-----`, ...rows, `-----END ${label}-----`, ''].join('\n');
};

/**
 * Creates a custom domain (interface specification, section 2.4). The first one of a branch has a key and a
 * certificate, others have none.
 */
export const makeCustomDomain = (
  setting: BranchSetting,
  domain: string,
  index: number,
): Readonly<Record<string, string>> => {
  const {branch, branchId, startMs, seed} = setting;
  const createdAt = new Date(startMs - branch.madeAgoMs / 2).toISOString();
  return {
    _id: makeId('domain', branchId, index),
    domain,
    createdBy: userIdOf(setting, 'owner'),
    workspace: organisationId,
    application: branchId,
    privateKey: index === 0 ? makePem('PRIVATE KEY', `${seed} ${domain}`) : '',
    sslCertificate: index === 0 ? makePem('CERTIFICATE', `${seed} ${domain}`) : '',
    createdAt,
    updatedAt: createdAt,
  };
};
