/** What `branchlog/api` exports: the interface as consumed. */

export type {Answer} from '#api/answer.ts';
export {ApiError, type ApiErrorKind} from '#api/api-error.ts';
export type {Branch} from '#api/decode/branch.ts';
export {decodeBranches} from '#api/decode/decode-branches.ts';
export {decodeLog} from '#api/decode/decode-log.ts';
export type {PodRecord} from '#api/decode/log-window.ts';
export type {Client, ClientOptions} from '#api/http/client.ts';
export {defaultLimits, type Limits} from '#api/limits.ts';
export {
  createTokenProvider,
  type TokenProvider,
  type TokenReading,
  type TokenSurroundings,
} from '#api/token/token.ts';
export {Secret} from '#base/secret.ts';
export type {TokenSource} from '#config/settings/settings.ts';
export {
  createLibraryClient as createClient,
  type LibraryClient as ServiceClient,
  type LibraryLogAnswer as LogAnswer,
} from './create-library-client.ts';
export {type FollowBranchOptions, type FollowedPoll, followBranch} from './follow-branch.ts';
