/** A link that is shown once, with its instructions. */
import type { ReactNode } from 'react';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface ShownLinkProps {
  url: string;
  label: string;
  children: ReactNode;
}

export function ShownLink({ url, label, children }: ShownLinkProps) {
  return (
    <div className={formStyles.stack}>
      <p>{children}</p>
      <CopyField text={url} label={label} />
    </div>
  );
}
