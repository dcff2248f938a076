/** The state of a form that is read and saved as a whole: saved and typed values, faults. */
import { useState } from 'react';

interface SavedForm<Stored, Values, Faults> {
  stored: Stored;
  valuesOf: (stored: Stored) => Values;
  /** Empty: the values can be sent. */
  check: (values: Values) => Faults;
  /**
   * Returns what is now stored.
   * @throws the server's refusal
   */
  write: (values: Values, held: Stored) => Promise<Stored>;
  faultsOf: (error: unknown) => Faults;
}

export function useSavedForm<Stored, Values extends object, Faults extends object>({
  stored,
  valuesOf,
  check,
  write,
  faultsOf,
}: SavedForm<Stored, Values, Faults>) {
  const [held, setHeld] = useState(stored);
  const [values, setValues] = useState(() => valuesOf(stored));
  const [faults, setFaults] = useState<Partial<Faults>>({});
  const [saved, setSaved] = useState(false);
  const before = valuesOf(held);

  async function save() {
    const found = check(values);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      const next = await write(values, held);
      setHeld(next);
      setValues(valuesOf(next));
      setSaved(true);
    } catch (error) {
      setFaults(faultsOf(error));
    }
  }

  return {
    held,
    values,
    faults,
    saved,
    save,
    dirty: JSON.stringify(values) !== JSON.stringify(before),
    set: (change: Partial<Values>) => setValues((now) => ({ ...now, ...change })),
    discard() {
      setValues(before);
      setFaults({});
    },
  };
}
