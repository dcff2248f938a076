/** The suggestions for a field whose `list` is this id. */
interface SuggestionsProps {
  id: string;
  options: readonly (readonly [value: string, words: string])[];
}

export function Suggestions({ id, options }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </datalist>
  );
}
