import {ServiceError} from './service-error.ts';

/**
 * Says why an answer cannot be given now, though it may be later, as a sentence for the reader of the answer, who gets
 * status 503.
 */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
}
