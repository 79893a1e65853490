import {Text, Transform} from 'ink';
import {memo} from 'react';

export type ScreenRowProps = {readonly painted: string};

/**
 * A row of the screen, already painted and cut. Ink lays out a blank and inserts the row when it draws, which saves it
 * measuring and cutting: a third of a frame's cost. Its cut would also differ from ours where terminals disagree about
 * a character's width.
 */
export const ScreenRow = memo(({painted}: ScreenRowProps) => {
  const shown = painted.trimEnd();
  return (
    <Transform transform={() => shown}>
      <Text> </Text>
    </Transform>
  );
});
