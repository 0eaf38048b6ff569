-- A sign-in that is under way ends with the other sessions of its account.
create index idp_record_signing_in on idp_record ((payload #>> '{result,login,accountId}')) where model = 'Interaction';
