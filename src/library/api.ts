/** The exports of `branchlog/api`: the interface as consumed. */

export type {Answer, Branch, PodRecord} from '#api/client/answer.ts';
export {ApiError, type ApiErrorKind} from '#api/client/api-error.ts';
export type {Client, ClientOptions} from '#api/client/client.ts';
export {decodeBranches} from '#api/client/decode-branches.ts';
export {decodeLog} from '#api/client/decode-log.ts';
export {defaultLimits, type Limits} from '#api/client/limits.ts';
export {
  createTokenProvider,
  type TokenDeps,
  type TokenProvider,
  type TokenReading,
} from '#api/client/token.ts';
export {Secret} from '#base/secret.ts';
export type {TokenSource} from '#config/settings/settings.ts';
export {
  createLibraryClient as createClient,
  type FollowBranchOptions,
  type FollowedPoll,
  followBranch,
  type LibraryClient as ServiceClient,
  type LibraryLogAnswer as LogAnswer,
} from './follow-branch.ts';
