import {Text} from 'ink';
import {memo} from 'react';

/** One row of the screen, painted and cut already. */
export const Row = memo(({painted}: {readonly painted: string}) => (
  <Text wrap="truncate-end">{painted === '' ? ' ' : painted}</Text>
));
