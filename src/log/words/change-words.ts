import type {Change} from '#log/line/entry.ts';

/**
 * Describes a change of a branch. The text is as untrusted as the record it comes from: the caller must sanitise it
 * before showing it.
 */
export const changeWords = (change: Change): string => {
  switch (change.kind) {
    case 'status':
      return `status ${change.before ?? 'not built out'} → ${change.now ?? 'not built out'}`;
    case 'activity': {
      const {action = 'an activity', status, createdBy} = change;
      const words = [status, createdBy && `by ${createdBy}`].filter(word => word !== undefined && word !== '');
      // A status alone does not say of what it is.
      return [action || 'an activity', ...words].join(' ');
    }
    case 'trouble':
      return [change.who, change.reason || 'trouble'].filter(words => words !== '').join(': ');
    default:
      return change satisfies never;
  }
};
