/** The recovery codes, shown only once. */
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './people.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Modal
      title="Codici di riserva"
      onClose={onClose}
      actions={<Button look="primary" onClick={onClose} label="Li ho messi al sicuro" />}
    >
      <div className={formStyles.stack}>
        <p>
          Stampali o scrivili: ognuno vale una volta sola, quando non hai il telefono. Dopo la
          chiusura non si vedono più.
        </p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyField text={codes.join(' ')} label="Tutti i codici" />
      </div>
    </Modal>
  );
}
