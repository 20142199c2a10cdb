#include "shipped_models.h"

#include "policy_options.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <sys/stat.h>
#include <vector>

using namespace std;

namespace asnets_plugin {
static const string SUFFIX = ".pt";

static bool is_file(const string &path) {
    struct stat found;
    return stat(path.c_str(), &found) == 0 && !S_ISDIR(found.st_mode);
}

static vector<string> names_in(const string &folder) {
    vector<string> names;
    DIR *opened = opendir(folder.c_str());
    if (!opened)
        return names;
    while (const dirent *entry = readdir(opened)) {
        string name = entry->d_name;
        if (name.size() > SUFFIX.size() &&
            name.compare(name.size() - SUFFIX.size(), SUFFIX.size(), SUFFIX) == 0)
            names.push_back(name.substr(0, name.size() - SUFFIX.size()));
    }
    closedir(opened);
    sort(names.begin(), names.end());
    return names;
}

static string listed(const vector<string> &names) {
    if (names.empty())
        return "no models are there";
    string result = "models that ship: " + names[0];
    for (size_t i = 1; i < names.size(); ++i)
        result += ", " + names[i];
    return result;
}

string model_path(const string &given) {
    bool is_word = !given.empty() && given.find_first_of("/.") == string::npos;
    if (!is_word || is_file(given))
        return given;
    const char *variable = getenv("ASNETS_MODELS");
    string folder = variable ? variable : "";
    vector<string> names = names_in(folder);
    if (find(names.begin(), names.end(), given) != names.end())
        return folder + "/" + given + SUFFIX;
    end_with(utils::ExitCode::SEARCH_INPUT_ERROR,
             given + ": no such file, and no such model; " + listed(names));
}
}
