-- Who issued a licence, and who revoked it and when (docs/decisions/0046). E-mail addresses as they were then; null for the vendor.
alter table licence add column issued_by text, add column revoked_at timestamptz, add column revoked_by text;

-- Only the vendor's command line leaves no entry when it issues a licence.
update licence l set issued_by = a.initiator_email from audit_entry a
  where a.organization_id = l.organization_id and a.change_type in ('createLicence', 'generateLicence') and a.target = l.licence_number;

-- A licence number enrolls host PCs, and whoever reads the audit log need not be permitted to do that. The number itself stays with its licence.
alter table audit_entry disable trigger audit_entry_append_only;
update audit_entry set target = '…' || right(target, 4) where change_type in ('createLicence', 'generateLicence');
alter table audit_entry enable trigger audit_entry_append_only;

create index host_licence on host (organization_id, licence_id, enrolled_at, id);

-- Whoever had every permission of a customer has the new one too.
update idp_account set permissions = permissions || '{manage:licences}'
  where permissions @> '{manage:cfg,manage:firmware,manage:cfg-lib,manage:locations,access:audit_log,access:analytics,access:device-dashboard}'
    and not permissions @> '{manage:licences}';
