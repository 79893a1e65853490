import type {Change} from '../line/entry.ts';

/** A change of a branch in words, as foreign as the record it comes from: to be sanitised by whoever shows it. */
export const changeWords = (change: Change): string => {
  switch (change.kind) {
    case 'status':
      return `status ${change.before ?? 'not built out'} → ${change.now ?? 'not built out'}`;
    case 'activity': {
      const {action = 'an activity', status, createdBy} = change;
      return [action, status, createdBy && `by ${createdBy}`]
        .filter(word => word !== undefined && word !== '')
        .join(' ');
    }
    default:
      return change satisfies never;
  }
};
