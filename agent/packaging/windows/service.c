/*
 * The service of Windows for the host agent. It installs itself, starts the agent, keeps its log, starts it again, and ends it by closing
 * its standard input: a service has no signal that reaches a program of Node. `lectern-agent service …` starts it with the same words.
 * What it prints is UTF-8. Its name, the names of the files and the exit codes are compiled in by
 * agent/packaging/windows.ts.
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <aclapi.h>
#include <sddl.h>
#include <shlobj.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#define TITLE L"Lectern host agent"
#define ACCOUNT L"NT SERVICE\\" SERVICE
#define FOLDER L"\\Lectern Agent"
#define LONGEST_PATH 1024

/* Milliseconds. */
#define START_AGAIN_AFTER 10000
#define STOP_WITHIN 30000
#define STOP_AGENT_WITHIN 20000
#define STARTED_AFTER 3000

#define LOG_BYTES (5 * 1024 * 1024)

typedef wchar_t Path[LONGEST_PATH];

static const wchar_t *const parts[] = {AGENT, NATIVE_PART, SERVICE_PROGRAM};
#define PARTS (sizeof parts / sizeof parts[0])

/* ` --port COM5` and so on, as the service was installed. */
static wchar_t ports[256];

static int say(FILE *to, int code, const wchar_t *format, ...) {
  wchar_t text[2 * LONGEST_PATH];
  char bytes[sizeof text * 2];
  va_list values;
  va_start(values, format);
  text[0] = 0;
  _vsnwprintf(text, sizeof text / sizeof text[0] - 1, format, values);
  text[sizeof text / sizeof text[0] - 1] = 0;
  va_end(values);
  const int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, NULL, NULL);
  if (length > 0) fprintf(to, "%s\n", bytes);
  return code;
}

/* What Windows says about its error, without the end of the line. */
static const wchar_t *reason(DWORD error) {
  static wchar_t text[512];
  DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error, 0, text, 500, NULL);
  while (length > 0 && text[length - 1] <= L' ') text[--length] = 0;
  if (length == 0) swprintf(text, 500, L"error %lu", error);
  return text;
}

static int refuse(const wchar_t *what) {
  const DWORD error = GetLastError();
  if (error == ERROR_ACCESS_DENIED)
    return say(stderr, EXIT_SERVICE, L"%ls: Windows does not allow it. Open a terminal as administrator and try again.", what);
  return say(stderr, EXIT_SERVICE, L"%ls: %ls", what, reason(error));
}

/* For calls that return their error. */
static BOOL failed(DWORD error) {
  SetLastError(error);
  return error != ERROR_SUCCESS;
}

static void join(Path path, const wchar_t *folder, const wchar_t *name) {
  _snwprintf(path, LONGEST_PATH - 1, L"%ls%ls%ls", folder, name[0] == L'\\' ? L"" : L"\\", name);
  path[LONGEST_PATH - 1] = 0;
}

static BOOL known_folder(REFKNOWNFOLDERID id, Path path) {
  wchar_t *found = NULL;
  const HRESULT result = SHGetKnownFolderPath(id, 0, NULL, &found);
  if (SUCCEEDED(result)) join(path, found, FOLDER);
  CoTaskMemFree(found);
  if (FAILED(result)) SetLastError(ERROR_PATH_NOT_FOUND);
  return SUCCEEDED(result);
}

static BOOL own_folder(Path path) {
  const DWORD length = GetModuleFileNameW(NULL, path, LONGEST_PATH);
  if (length == 0 || length == LONGEST_PATH) return FALSE;
  wchar_t *last = wcsrchr(path, L'\\');
  if (last) *last = 0;
  return last != NULL;
}

/* ---- Folders ---- */

/* SYSTEM, the administrators and the service alone, in the folder and in what is made there. */
static const wchar_t *const only_service =
    L"O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;" SERVICE_SID L")";

/* SYSTEM, the administrators, the service, and the account that runs this. */
static BOOL is_trusted(PSID sid) {
  BYTE known[SECURITY_MAX_SID_SIZE];
  const WELL_KNOWN_SID_TYPE kinds[] = {WinLocalSystemSid, WinBuiltinAdministratorsSid};
  for (int i = 0; i < 2; i++) {
    DWORD size = sizeof known;
    if (CreateWellKnownSid(kinds[i], NULL, known, &size) && EqualSid(sid, known)) return TRUE;
  }
  PSID service = NULL;
  const BOOL is_service = ConvertStringSidToSidW(SERVICE_SID, &service) && EqualSid(sid, service);
  LocalFree(service);
  if (is_service) return TRUE;
  HANDLE token;
  BYTE user[SECURITY_MAX_SID_SIZE + sizeof(TOKEN_USER)];
  DWORD size;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return FALSE;
  const BOOL is_own = GetTokenInformation(token, TokenUser, user, sizeof user, &size) && EqualSid(sid, ((TOKEN_USER *)user)->User.Sid);
  CloseHandle(token);
  return is_own;
}

/* Opens the folder itself, not what a link in its place names. While it is open it cannot be moved. */
static HANDLE open_folder(const wchar_t *path, DWORD access) {
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
}

static BOOL is_plain_folder(HANDLE folder) {
  FILE_ATTRIBUTE_TAG_INFO info;
  if (!GetFileInformationByHandleEx(folder, FileAttributeTagInfo, &info, sizeof info)) return FALSE;
  return (info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 && (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
}

static BOOL is_empty(const wchar_t *path) {
  Path pattern;
  join(pattern, path, L"*");
  WIN32_FIND_DATAW found;
  HANDLE search = FindFirstFileW(pattern, &found);
  if (search == INVALID_HANDLE_VALUE) return FALSE;
  BOOL empty = TRUE;
  do empty = wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0;
  while (empty && FindNextFileW(search, &found));
  FindClose(search);
  return empty;
}

/* Whether the owner and all whom the list gives one of these rights are trusted. Without a list everybody has all rights. */
static BOOL only_trusted(PSID owner, PACL list, ACCESS_MASK rights) {
  if (list == NULL || !is_trusted(owner)) return FALSE;
  for (DWORD i = 0; i < list->AceCount; i++) {
    ACCESS_ALLOWED_ACE *entry;
    if (!GetAce(list, i, (void **)&entry)) return FALSE;
    /* It concerns only what is made in the folder: Windows writes the maker's name in place of "creator and owner". */
    if ((entry->Header.AceFlags & INHERIT_ONLY_ACE) != 0 || entry->Header.AceType == ACCESS_DENIED_ACE_TYPE) continue;
    if (entry->Header.AceType != ACCESS_ALLOWED_ACE_TYPE) return FALSE;
    if ((entry->Mask & rights) != 0 && !is_trusted((PSID)&entry->SidStart)) return FALSE;
  }
  return TRUE;
}

#define WRITES (GENERIC_ALL | GENERIC_WRITE | FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER)

/*
 * Closes a folder that was there to all but the service. Another account must not have made it, as a handle keeps its rights, nor may others
 * have written to it.
 */
static int close_folder(const wchar_t *path, PSECURITY_DESCRIPTOR wanted) {
  PSECURITY_DESCRIPTOR before = NULL;
  PSID owner;
  PACL list;
  BOOL present, by_default;
  int code = EXIT_OK;
  const SECURITY_INFORMATION what = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
  HANDLE folder = open_folder(path, READ_CONTROL | WRITE_DAC | WRITE_OWNER | FILE_READ_ATTRIBUTES);
  if (folder == INVALID_HANDLE_VALUE) return refuse(L"The state folder cannot be opened");
  if (!is_plain_folder(folder))
    code = say(stderr, EXIT_STATE_FOLDER, L"%ls is no folder, or a link to another. Move it away and try again.", path);
  else if (failed(GetSecurityInfo(folder, SE_FILE_OBJECT, what, &owner, NULL, &list, NULL, &before)))
    code = refuse(L"The access list of the state folder cannot be read");
  else if (!is_trusted(owner) || (!only_trusted(owner, list, WRITES) && !is_empty(path)))
    code = say(stderr, EXIT_STATE_FOLDER, L"Others have made %ls, or may have written there. Move it away and try again.", path);
  else if (!only_trusted(owner, list, MAXDWORD)) {
    const SECURITY_INFORMATION closed = what | PROTECTED_DACL_SECURITY_INFORMATION;
    if (!GetSecurityDescriptorDacl(wanted, &present, &list, &by_default) || !GetSecurityDescriptorOwner(wanted, &owner, &by_default) ||
        failed(SetSecurityInfo(folder, SE_FILE_OBJECT, closed, owner, NULL, list, NULL)))
      code = refuse(L"The access list of the state folder cannot be set");
  }
  LocalFree(before);
  CloseHandle(folder);
  return code;
}

static int make_state_folder(const wchar_t *path) {
  SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(only_service, SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
    return refuse(L"The access list of the state folder cannot be made");
  int code = EXIT_OK;
  if (!CreateDirectoryW(path, &attributes))
    code = GetLastError() == ERROR_ALREADY_EXISTS ? close_folder(path, attributes.lpSecurityDescriptor) : refuse(L"The state folder cannot be made");
  LocalFree(attributes.lpSecurityDescriptor);
  return code;
}

/* Refuses a state folder that accounts beside this one, SYSTEM, the administrators and the service may write. */
static int check_folder(const wchar_t *path) {
  PSECURITY_DESCRIPTOR descriptor = NULL;
  PSID owner;
  PACL list;
  const SECURITY_INFORMATION what = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
  int code = EXIT_OK;
  HANDLE folder = open_folder(path, READ_CONTROL | FILE_READ_ATTRIBUTES);
  if (folder == INVALID_HANDLE_VALUE) return refuse(L"The state folder cannot be read");
  if (!is_plain_folder(folder)) code = say(stderr, EXIT_STATE_FOLDER, L"%ls is no folder, or a link to another.", path);
  else if (failed(GetSecurityInfo(folder, SE_FILE_OBJECT, what, &owner, NULL, &list, NULL, &descriptor)))
    code = refuse(L"The access list of the state folder cannot be read");
  else if (!only_trusted(owner, list, WRITES))
    code = say(stderr, EXIT_STATE_FOLDER, L"Others may write to %ls. Take that from them first, or name another folder with --state.", path);
  LocalFree(descriptor);
  CloseHandle(folder);
  return code;
}

/* ---- The program's files ---- */

static BOOL same_files(const wchar_t *one, const wchar_t *other) {
  static BYTE first[65536], second[65536];
  FILE *a = _wfopen(one, L"rb"), *b = _wfopen(other, L"rb");
  BOOL same = a != NULL && b != NULL;
  for (size_t count = 1; same && count > 0;) {
    count = fread(first, 1, sizeof first, a);
    same = fread(second, 1, sizeof second, b) == count && memcmp(first, second, count) == 0;
  }
  if (a) fclose(a);
  if (b) fclose(b);
  return same;
}

/* Each file is copied beside its place. */
static BOOL copy_parts(const wchar_t *from, const wchar_t *to) {
  for (size_t i = 0; i < PARTS; i++) {
    Path source, copy;
    join(source, from, parts[i]);
    join(copy, to, parts[i]);
    wcsncat(copy, L".new", LONGEST_PATH - wcslen(copy) - 1);
    if (!CopyFileW(source, copy, FALSE)) return FALSE;
  }
  return TRUE;
}

/* Puts the copies in place. A file in use can be renamed, so the old ones are; where one cannot, all are put back. */
static BOOL replace_parts(const wchar_t *folder) {
  Path files[PARTS], olds[PARTS];
  BOOL had[PARTS];
  const ULONGLONG now = GetTickCount64();
  for (size_t i = 0; i < PARTS; i++) {
    Path copy;
    join(files[i], folder, parts[i]);
    _snwprintf(copy, LONGEST_PATH, L"%ls.new", files[i]);
    /* An old file of before may still be in use. */
    _snwprintf(olds[i], LONGEST_PATH, L"%ls.old-%llu", files[i], now);
    had[i] = MoveFileExW(files[i], olds[i], 0);
    if ((had[i] || GetLastError() == ERROR_FILE_NOT_FOUND) && MoveFileExW(copy, files[i], MOVEFILE_REPLACE_EXISTING)) continue;
    const DWORD error = GetLastError();
    for (size_t j = 0; j <= i; j++)
      if (had[j]) MoveFileExW(olds[j], files[j], MOVEFILE_REPLACE_EXISTING);
    SetLastError(error);
    return FALSE;
  }
  for (size_t i = 0; i < PARTS; i++)
    if (had[i] && !DeleteFileW(olds[i])) MoveFileExW(olds[i], NULL, MOVEFILE_DELAY_UNTIL_REBOOT);
  return TRUE;
}

/* ---- The service, as an administrator asks for it ---- */

static SC_HANDLE open_service(DWORD access) {
  SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
  if (!manager) return NULL;
  SC_HANDLE service = OpenServiceW(manager, SERVICE, access);
  const DWORD error = GetLastError();
  CloseServiceHandle(manager);
  SetLastError(error);
  return service;
}

static BOOL query(SC_HANDLE service, SERVICE_STATUS_PROCESS *found) {
  DWORD size;
  return QueryServiceStatusEx(service, SC_STATUS_PROCESS_INFO, (BYTE *)found, sizeof *found, &size);
}

static BOOL stop_service(SC_HANDLE service) {
  SERVICE_STATUS status;
  SERVICE_STATUS_PROCESS now;
  if (!ControlService(service, SERVICE_CONTROL_STOP, &status) && GetLastError() != ERROR_SERVICE_NOT_ACTIVE &&
      GetLastError() != ERROR_SERVICE_CANNOT_ACCEPT_CTRL)
    return FALSE;
  for (DWORD waited = 0; waited <= STOP_WITHIN; waited += 100) {
    if (!query(service, &now)) return FALSE;
    if (now.dwCurrentState == SERVICE_STOPPED) return TRUE;
    Sleep(100);
  }
  SetLastError(ERROR_SERVICE_REQUEST_TIMEOUT);
  return FALSE;
}

/* What Windows shall run for the service. Without the quotes it would try C:\Program.exe first. */
static void write_command(wchar_t *command, const wchar_t *folder) {
  _snwprintf(command, 2 * LONGEST_PATH, L"\"%ls\\%ls\" run%ls", folder, SERVICE_PROGRAM, ports);
}

/* Reads the command of the service that is installed; empty where there is none. */
static void read_command(wchar_t *command) {
  BYTE bytes[8192];
  DWORD size;
  command[0] = 0;
  SC_HANDLE service = open_service(SERVICE_QUERY_CONFIG);
  if (service && QueryServiceConfigW(service, (QUERY_SERVICE_CONFIGW *)bytes, sizeof bytes, &size))
    _snwprintf(command, 2 * LONGEST_PATH - 1, L"%ls", ((QUERY_SERVICE_CONFIGW *)bytes)->lpBinaryPathName);
  if (service) CloseServiceHandle(service);
}

static SC_HANDLE make_service(const wchar_t *command) {
  SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT | SC_MANAGER_CREATE_SERVICE);
  if (!manager) return NULL;
  const DWORD access = SERVICE_CHANGE_CONFIG | SERVICE_QUERY_STATUS | SERVICE_QUERY_CONFIG | SERVICE_START | SERVICE_STOP;
  SC_HANDLE service = CreateServiceW(manager, SERVICE, TITLE, access, SERVICE_WIN32_OWN_PROCESS, SERVICE_AUTO_START, SERVICE_ERROR_NORMAL,
                                     command, NULL, NULL, NULL, ACCOUNT, NULL);
  if (!service && GetLastError() == ERROR_SERVICE_EXISTS) {
    service = OpenServiceW(manager, SERVICE, access);
    if (service && !ChangeServiceConfigW(service, SERVICE_WIN32_OWN_PROCESS, SERVICE_NO_CHANGE, SERVICE_ERROR_NORMAL, command, NULL, NULL,
                                         NULL, ACCOUNT, NULL, TITLE)) {
      const DWORD error = GetLastError();
      CloseServiceHandle(service);
      SetLastError(error);
      service = NULL;
    }
  }
  const DWORD error = GetLastError();
  CloseServiceHandle(manager);
  SetLastError(error);
  if (!service) return NULL;
  SERVICE_DESCRIPTIONW description = {L"Updates the barcode readers of this PC from Lectern."};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_DESCRIPTION, &description);
  /* The service starts the agent again itself. This is for the service. */
  SC_ACTION again = {SC_ACTION_RESTART, START_AGAIN_AFTER};
  SERVICE_FAILURE_ACTIONSW failure = {.dwResetPeriod = 0, .cActions = 1, .lpsaActions = &again};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_FAILURE_ACTIONS, &failure);
  /* Every service may impersonate others unless it says that it need not. */
  SERVICE_REQUIRED_PRIVILEGES_INFOW privileges = {L"SeChangeNotifyPrivilege\0"};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO, &privileges);
  return service;
}

/* Without ports in its words it keeps those of before. */
static void keep_ports(const wchar_t *before) {
  const wchar_t *const found = wcsstr(before, L"\" run --port ");
  if (ports[0] == 0 && found) _snwprintf(ports, sizeof ports / sizeof ports[0] - 1, L"%ls", found + 5);
}

static int install(void) {
  Path from, program, state;
  if (!own_folder(from) || !known_folder(&FOLDERID_ProgramFiles, program) || !known_folder(&FOLDERID_ProgramData, state))
    return refuse(L"The folders of programs cannot be found");
  if (!CreateDirectoryW(program, NULL) && GetLastError() != ERROR_ALREADY_EXISTS) return refuse(L"The program's folder cannot be made");
  const int code = make_state_folder(state);
  if (code != EXIT_OK) return code;

  BOOL same = TRUE;
  for (size_t i = 0; i < PARTS && same; i++) {
    Path source, target;
    join(source, from, parts[i]);
    join(target, program, parts[i]);
    same = same_files(source, target);
  }
  if (!same && !copy_parts(from, program)) return refuse(L"The program cannot be copied. Nothing is changed");

  wchar_t command[2 * LONGEST_PATH], command_before[2 * LONGEST_PATH];
  read_command(command_before);
  keep_ports(command_before);
  write_command(command, program);
  const BOOL changed = !same || wcscmp(command, command_before) != 0;

  SERVICE_STATUS_PROCESS before = {.dwCurrentState = SERVICE_STOPPED};
  SC_HANDLE service = open_service(SERVICE_QUERY_STATUS | SERVICE_STOP | SERVICE_START);
  if (service) {
    if (!query(service, &before)) return refuse(L"The service cannot be asked");
    if (changed && !stop_service(service)) return refuse(L"The service was asked to stop and goes on. Nothing is replaced");
  } else if (GetLastError() != ERROR_SERVICE_DOES_NOT_EXIST) return refuse(L"The service cannot be asked");
  const BOOL ran = before.dwCurrentState == SERVICE_RUNNING || before.dwCurrentState == SERVICE_START_PENDING;
  const BOOL replaced = same || replace_parts(program);
  const DWORD error = GetLastError();
  if (!replaced) {
    if (ran) StartServiceW(service, 0, NULL);
    SetLastError(error);
    return refuse(L"The program cannot be replaced. The one of before is in place");
  }
  if (service) CloseServiceHandle(service);
  service = make_service(command);
  if (!service) return refuse(L"The service cannot be made");
  if (ran && changed && !StartServiceW(service, 0, NULL) && GetLastError() != ERROR_SERVICE_ALREADY_RUNNING)
    return refuse(L"The service is installed and cannot be started");
  CloseServiceHandle(service);
  return say(stdout, EXIT_OK, L"The service %ls is installed in %ls. Its state is in %ls.", SERVICE, program, state);
}

static int not_there(void) {
  if (GetLastError() != ERROR_SERVICE_DOES_NOT_EXIST) return refuse(L"The service cannot be asked");
  return say(stderr, EXIT_SERVICE, L"The service %ls is not installed.", SERVICE);
}

static int show_status(void) {
  SERVICE_STATUS_PROCESS now;
  SC_HANDLE service = open_service(SERVICE_QUERY_STATUS);
  if (!service) return not_there();
  if (!query(service, &now)) return refuse(L"The service cannot be asked");
  CloseServiceHandle(service);
  if (now.dwCurrentState == SERVICE_RUNNING) return say(stdout, EXIT_OK, L"The service %ls is running.", SERVICE);
  if (now.dwCurrentState != SERVICE_STOPPED) return say(stdout, EXIT_SERVICE, L"The service %ls is starting or stopping.", SERVICE);
  if (now.dwWin32ExitCode == ERROR_SERVICE_SPECIFIC_ERROR)
    return say(stdout, EXIT_SERVICE, L"The service %ls is stopped. The agent ended with code %lu.", SERVICE, now.dwServiceSpecificExitCode);
  return say(stdout, EXIT_SERVICE, L"The service %ls is stopped.", SERVICE);
}

static int start(void) {
  SC_HANDLE service = open_service(SERVICE_QUERY_STATUS | SERVICE_START);
  if (!service) return not_there();
  if (!StartServiceW(service, 0, NULL) && GetLastError() != ERROR_SERVICE_ALREADY_RUNNING) return refuse(L"The service cannot be started");
  /* An agent that cannot work ends soon. */
  SERVICE_STATUS_PROCESS now = {.dwCurrentState = SERVICE_RUNNING};
  for (DWORD waited = 0; waited < STARTED_AFTER && now.dwCurrentState != SERVICE_STOPPED; waited += 100) {
    Sleep(100);
    if (!query(service, &now)) return refuse(L"The service cannot be asked");
  }
  CloseServiceHandle(service);
  return show_status();
}

static int stop(void) {
  SC_HANDLE service = open_service(SERVICE_QUERY_STATUS | SERVICE_STOP);
  if (!service) return not_there();
  if (!stop_service(service)) return refuse(L"The service does not stop");
  CloseServiceHandle(service);
  return say(stdout, EXIT_OK, L"The service %ls is stopped. It starts again with Windows.", SERVICE);
}

static int uninstall(void) {
  Path program, state;
  SC_HANDLE service = open_service(SERVICE_QUERY_STATUS | SERVICE_STOP | DELETE);
  if (!service) return not_there();
  if (!stop_service(service)) return refuse(L"The service does not stop. It is not removed");
  if (!DeleteService(service) && GetLastError() != ERROR_SERVICE_MARKED_FOR_DELETE) return refuse(L"The service cannot be removed");
  CloseServiceHandle(service);
  if (!known_folder(&FOLDERID_ProgramFiles, program) || !known_folder(&FOLDERID_ProgramData, state)) return EXIT_OK;
  return say(stdout, EXIT_OK, L"The service %ls is removed. Its files are kept: delete %ls, and %ls if this PC shall forget its zone.", SERVICE, program, state);
}

/* ---- The service, as Windows runs it ---- */

static SERVICE_STATUS_HANDLE manager_handle;
static HANDLE stop_event;

static void report(DWORD state, DWORD agent_code) {
  static DWORD steps;
  SERVICE_STATUS status = {.dwServiceType = SERVICE_WIN32_OWN_PROCESS, .dwCurrentState = state};
  if (state == SERVICE_RUNNING) status.dwControlsAccepted = SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_SHUTDOWN;
  if (state == SERVICE_STOP_PENDING) {
    status.dwCheckPoint = ++steps;
    status.dwWaitHint = 2000;
  }
  if (agent_code != EXIT_OK) {
    status.dwWin32ExitCode = ERROR_SERVICE_SPECIFIC_ERROR;
    status.dwServiceSpecificExitCode = agent_code;
  }
  SetServiceStatus(manager_handle, &status);
}

static DWORD WINAPI on_control(DWORD control, DWORD type, void *data, void *context) {
  (void)type, (void)data, (void)context;
  if (control == SERVICE_CONTROL_INTERROGATE) return NO_ERROR;
  if (control != SERVICE_CONTROL_STOP && control != SERVICE_CONTROL_SHUTDOWN) return ERROR_CALL_NOT_IMPLEMENTED;
  report(SERVICE_STOP_PENDING, EXIT_OK);
  SetEvent(stop_event);
  return NO_ERROR;
}

static HANDLE log_file = INVALID_HANDLE_VALUE;

static HANDLE open_log(const wchar_t *file, DWORD how) {
  return CreateFileW(file, FILE_APPEND_DATA | FILE_WRITE_DATA, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, how, FILE_ATTRIBUTE_NORMAL, NULL);
}

/*
 * Appends to agent.log. A full log becomes agent.old.log, so the two take at most twice LOG_BYTES. Where another program holds them, the log
 * begins anew. A full disk does not stop the agent. One thread at a time writes: the agent's output ends before the service writes.
 */
static void write_log(const char *bytes, DWORD count) {
  Path state, file, old;
  LARGE_INTEGER size;
  DWORD written;
  if (!known_folder(&FOLDERID_ProgramData, state)) return;
  join(file, state, L"agent.log");
  join(old, state, L"agent.old.log");
  if (log_file == INVALID_HANDLE_VALUE) log_file = open_log(file, OPEN_ALWAYS);
  if (GetFileSizeEx(log_file, &size) && size.QuadPart + count > LOG_BYTES) {
    CloseHandle(log_file);
    log_file = open_log(file, MoveFileExW(file, old, MOVEFILE_REPLACE_EXISTING) ? OPEN_ALWAYS : CREATE_ALWAYS);
  }
  SetFilePointer(log_file, 0, NULL, FILE_END);
  WriteFile(log_file, bytes, count, &written, NULL);
}

static void note(const char *format, DWORD number) {
  char line[200];
  SYSTEMTIME at;
  GetLocalTime(&at);
  int length = snprintf(line, sizeof line, "%04u-%02u-%02u %02u:%02u:%02u ", at.wYear, at.wMonth, at.wDay, at.wHour, at.wMinute, at.wSecond);
  length += snprintf(line + length, sizeof line - length, format, number);
  write_log(line, (DWORD)length);
}

static DWORD WINAPI keep_log(void *pipe) {
  char bytes[4096];
  DWORD count;
  while (ReadFile(pipe, bytes, sizeof bytes, &count, NULL) && count > 0) write_log(bytes, count);
  CloseHandle(pipe);
  return 0;
}

/* Only the end that the agent is given may be inherited: it would not see the end of its input while it held the other itself. */
static BOOL make_pipe(HANDLE *own, HANDLE *agents, BOOL agent_reads) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE reading, writing;
  if (!CreatePipe(&reading, &writing, &inherited, 0)) return FALSE;
  *own = agent_reads ? writing : reading;
  *agents = agent_reads ? reading : writing;
  return SetHandleInformation(*own, HANDLE_FLAG_INHERIT, 0);
}

/* Runs the agent until it ends, or until the service shall stop. Returns the agent's exit code. */
static DWORD run_agent(const wchar_t *folder) {
  wchar_t command[2 * LONGEST_PATH];
  Path state, program;
  HANDLE input, agents_input, output, agents_output;
  STARTUPINFOW startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
  PROCESS_INFORMATION agent;
  DWORD code = EXIT_UNEXPECTED;
  if (!known_folder(&FOLDERID_ProgramData, state) || !make_pipe(&input, &agents_input, TRUE)) return code;
  if (!make_pipe(&output, &agents_output, FALSE)) return CloseHandle(input), CloseHandle(agents_input), code;
  startup.hStdInput = agents_input;
  startup.hStdOutput = startup.hStdError = agents_output;
  join(program, folder, AGENT);
  _snwprintf(command, 2 * LONGEST_PATH, L"\"%ls\" run --driver serial%ls --until-input-ends --state \"%ls\"", program, ports, state);
  const BOOL started = CreateProcessW(program, command, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, folder, &startup, &agent);
  const DWORD error = GetLastError();
  CloseHandle(agents_input);
  CloseHandle(agents_output);
  HANDLE log = started ? CreateThread(NULL, 0, keep_log, output, 0, NULL) : NULL;
  if (!log) CloseHandle(output);
  if (!started) {
    CloseHandle(input);
    note("The agent cannot be started: error %lu of Windows.\n", error);
    return code;
  }
  HANDLE either[] = {agent.hProcess, stop_event};
  WaitForMultipleObjects(2, either, FALSE, INFINITE);
  CloseHandle(input);
  for (DWORD waited = 0; WaitForSingleObject(agent.hProcess, 1000) == WAIT_TIMEOUT; waited += 1000) {
    report(SERVICE_STOP_PENDING, EXIT_OK);
    if (waited >= STOP_AGENT_WITHIN) TerminateProcess(agent.hProcess, EXIT_UNEXPECTED);
  }
  GetExitCodeProcess(agent.hProcess, &code);
  if (log) WaitForSingleObject(log, 5000), CloseHandle(log);
  note("The agent ended with code %lu.\n", code);
  CloseHandle(agent.hThread);
  CloseHandle(agent.hProcess);
  return code;
}

static BOOL is_final(DWORD code) {
  static const DWORD final[] = {FINAL_EXIT_CODES};
  for (size_t i = 0; i < sizeof final / sizeof final[0]; i++)
    if (final[i] == code) return TRUE;
  return FALSE;
}

static void WINAPI serve(DWORD count, wchar_t **words) {
  (void)count, (void)words;
  Path folder;
  stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
  manager_handle = RegisterServiceCtrlHandlerExW(SERVICE, on_control, NULL);
  if (!manager_handle || !stop_event || !own_folder(folder)) return;
  report(SERVICE_RUNNING, EXIT_OK);
  DWORD code;
  do code = run_agent(folder);
  while (!is_final(code) && WaitForSingleObject(stop_event, START_AGAIN_AFTER) == WAIT_TIMEOUT);
  /* Where it was asked to stop, that is no fault. */
  report(SERVICE_STOPPED, WaitForSingleObject(stop_event, 0) == WAIT_OBJECT_0 ? EXIT_OK : code);
}

static int run(void) {
  SERVICE_TABLE_ENTRYW table[] = {{SERVICE, serve}, {NULL, NULL}};
  if (StartServiceCtrlDispatcherW(table)) return EXIT_OK;
  return say(stderr, EXIT_USAGE, L"Only Windows starts this. Use \"lectern-agent service install\".");
}

static BOOL is_port(const wchar_t *name) {
  if (_wcsnicmp(name, L"COM", 3) != 0) return FALSE;
  const size_t digits = wcsspn(name + 3, L"0123456789");
  return digits > 0 && digits <= 3 && name[3 + digits] == 0;
}

/* Takes `--port COM5` and so on from the end of the words. Returns how many words are left, 0 where others follow. */
static int take_ports(int count, wchar_t **words) {
  for (int i = 2; i < count; i += 2) {
    if (wcscmp(words[i], L"--port") != 0 || i + 1 == count || !is_port(words[i + 1]) || wcslen(ports) > 200) return 0;
    wcscat(ports, L" --port ");
    wcscat(ports, words[i + 1]);
  }
  return 2;
}

int wmain(int count, wchar_t **words) {
  /* No library is loaded from the folder of the program. */
  SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
  const wchar_t *const word = count > 1 ? words[1] : L"";
  if (count == 3 && wcscmp(word, L"check-folder") == 0) return check_folder(words[2]);
  if (count > 2 && (wcscmp(word, L"run") == 0 || wcscmp(word, L"install") == 0)) count = take_ports(count, words);
  if (count == 2 && wcscmp(word, L"run") == 0) return run();
  if (count == 2 && wcscmp(word, L"install") == 0) return install();
  if (count == 2 && wcscmp(word, L"remove") == 0) return uninstall();
  if (count == 2 && wcscmp(word, L"start") == 0) return start();
  if (count == 2 && wcscmp(word, L"status") == 0) return show_status();
  if (count == 2 && wcscmp(word, L"stop") == 0) return stop();
  return say(stderr, EXIT_USAGE, L"Use \"lectern-agent service install\", with \"--port COM5\" where a reader is on such a port, or \"start\", \"status\", \"stop\" or \"remove\".");
}
