/** A file that is dropped onto an area or chosen with its input. */
import { useState, type ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './drop-zone.module.css';

export interface FileInputProps {
  /** As the attribute of an input: types and endings. */
  accept: string;
  onFile: (file: File | undefined) => void;
}

/** `children`: words for what to drop here. */
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

/** The input is invisible, inside a label. */
export function FileInput({ accept, onFile }: FileInputProps) {
  return (
    <input
      className="visually-hidden"
      type="file"
      accept={accept}
      onChange={(event) => {
        onFile(event.target.files?.[0]);
        // The same file may be chosen again.
        event.target.value = '';
      }}
    />
  );
}
