import {ServiceError} from './service-error.ts';

/** Says in a sentence what does not exist of what was asked for, though the branch does. */
export class AbsentError extends ServiceError {
  override readonly name = 'AbsentError';
}
