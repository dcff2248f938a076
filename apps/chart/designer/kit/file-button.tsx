/** A button that asks for a file; the browser’s own control has the browser’s language. */
import { useRef } from 'react';
import { Button } from './controls.tsx';

interface FileButtonLook {
  label: string;
  /** The input's `accept` attribute: types and endings. */
  accept: string;
  onFile: (file: File | undefined) => void;
}

export function FileButton({ label, accept, onFile }: FileButtonLook) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" onPress={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // Cleared, so that the same file may be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
