/** An area for a file, which is dropped there or chosen with the input. */
import { useState, type ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './drop-zone.module.css';

export interface FileInputProps {
  /** The input's `accept` attribute: types and endings. */
  accept: string;
  onFile: (file: File | undefined) => void;
}

/** `children` says what to drop here. */
export function DropZone({ accept, onFile, children }: FileInputProps & { children: ReactNode }) {
  const [over, setOver] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- input does it too
    <label
      className={joinClasses(styles.drop, over && styles.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <Icon name="upload" size={28} />
      {children}
      <FileInput accept={accept} onFile={onFile} />
    </label>
  );
}

/** Put it into a label, because the input is invisible. */
export function FileInput({ accept, onFile }: FileInputProps) {
  return (
    <input
      className="visually-hidden"
      type="file"
      accept={accept}
      onChange={(event) => {
        onFile(event.target.files?.[0]);
        // Cleared, because choosing the same file again would otherwise do nothing.
        event.target.value = '';
      }}
    />
  );
}
