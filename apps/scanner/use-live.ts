/** A Dexie query as React state: it runs again whenever a row that it read has changed, in this tab or another. */
import { liveQuery } from 'dexie';
import { useEffect, useRef, useState } from 'react';

/** `undefined` until the first answer; `query` must be the same question for as long as the component stands. */
export function useLive<T>(query: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  const question = useRef(query);
  useEffect(() => {
    const subscription = liveQuery(question.current).subscribe({ next: setValue, error: (error: unknown) => console.error(error) });
    return () => subscription.unsubscribe();
  }, []);
  return value;
}
